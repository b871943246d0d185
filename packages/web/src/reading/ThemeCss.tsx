import { documentNonce, scopedThemeCss } from '../themes/theme-css.ts';

/** The workspace's own look of its texts, while some are shown. */
export function ThemeCss({ css }: { readonly css: string | null }) {
  return css === null ? null : <style nonce={documentNonce()}>{scopedThemeCss(css)}</style>;
}
