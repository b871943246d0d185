import { lazy, Suspense } from 'react';

/** Loaded only for workspaces with theme CSS. */
const ScopedTheme = lazy(() => import('../themes/ScopedTheme.tsx'));

/** Applies the workspace's theme CSS while its texts are shown. */
export function ThemeCss({ css }: { readonly css: string | null }) {
  return css === null ? null : (
    <Suspense>
      <ScopedTheme css={css} />
    </Suspense>
  );
}
