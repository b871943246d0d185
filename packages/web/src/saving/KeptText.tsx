import { type ComponentProps, lazy, Suspense } from 'react';

const KeptTextDownload = lazy(async () => ({
  default: (await import('./KeptTextDownload.tsx')).KeptTextDownload,
}));

/** As `KeptTextDownload`, which only who is shut out needs: it is loaded then. */
export function KeptText(props: ComponentProps<typeof KeptTextDownload>) {
  return (
    <Suspense>
      <KeptTextDownload {...props} />
    </Suspense>
  );
}
