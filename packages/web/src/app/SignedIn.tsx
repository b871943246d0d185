import { Outlet, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { signInAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { readSession, useSession } from '../api/session.ts';
import { shell } from '../text/en/shell.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { LoadFailure } from '../ui/States.tsx';

/** Pages for signed-in users. Others are redirected to sign-in and back. */
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
    if (session.kind !== 'nobody') return;
    const here = history.location.href;
    void firstPage(here).then((page) => history.replace(signInAddress(here, page)));
  }, [session.kind, ask, history]);

  if (session.kind === 'signed_in' || session.kind === 'signed_out') return <Outlet />;
  if (error === null) return null;
  return (
    <PlainPage>
      <PageHeading title={shell.product} hidden />
      <LoadFailure what={shell.thisPage} error={error} onRetry={ask} />
    </PlainPage>
  );
}

/** On a server without accounts, the start page is sign-up. */
async function firstPage(here: string): Promise<'signin' | 'signup'> {
  if (here !== '/') return 'signin';
  try {
    const { signUp } = await queryClient.fetchQuery({
      queryKey: queryKeys.signUp,
      queryFn: ({ signal }) => client.readSignUp({ signal }),
    });
    return signUp === 'first' ? 'signup' : 'signin';
  } catch {
    // The sign-in page asks again and links to sign-up.
    return 'signin';
  }
}
