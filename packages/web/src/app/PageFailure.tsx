import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isNotThere } from '../api/feed-connection.ts';
import { shell } from '../text/en/shell.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { LoadFailure } from '../ui/States.tsx';

/** A page that failed: its chunk did not load, a request was rejected, or it has a bug. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (isNotThere(error)) {
    return (
      <PlainPage>
        <NotFound />
      </PlainPage>
    );
  }
  return (
    <PlainPage>
      <PageHeading title={shell.product} hidden />
      <LoadFailure
        what={shell.thisPage}
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </PlainPage>
  );
}
