import { Outlet, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { signInAddress } from '../api/addresses.ts';
import { readSession, useSession } from '../api/session.ts';
import { shell } from '../text/en/shell.ts';
import { PlainPage } from '../ui/PlainPage.tsx';
import { LoadFailure } from '../ui/States.tsx';

/** Pages for people who are signed in. Nobody yet: on to signing in, and back here. */
export function SignedIn() {
  const session = useSession();
  const { history } = useRouter();
  const [error, setError] = useState<Error | null>(null);

  const ask = useCallback(() => {
    setError(null);
    readSession().catch((failure: unknown) => {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
  }, []);

  useEffect(() => {
    if (session.kind === 'unknown') ask();
    if (session.kind === 'nobody') history.replace(signInAddress(history.location.href));
  }, [session.kind, ask, history]);

  if (session.kind === 'signed_in' || session.kind === 'signed_out') return <Outlet />;
  if (error === null) return null;
  return (
    <PlainPage>
      <LoadFailure what={shell.thisPage} error={error} onRetry={ask} />
    </PlainPage>
  );
}
