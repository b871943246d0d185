import { type ComponentProps, lazy, Suspense } from 'react';

const KeptTextDownload = lazy(async () => ({
  default: (await import('./KeptTextDownload.tsx')).KeptTextDownload,
}));

/** Loads `KeptTextDownload` on demand: only users who lost access need it. */
export function KeptText(props: ComponentProps<typeof KeptTextDownload>) {
  return (
    <Suspense>
      <KeptTextDownload {...props} />
    </Suspense>
  );
}
