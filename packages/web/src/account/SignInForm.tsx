import type { ReactNode } from 'react';
import { client } from '../api/client.ts';
import type { SignedInUser } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { fieldOf, problem, waitProblem, wrongOriginProblem } from './credentials.ts';
import { useSignUpState } from './use-sign-up-state.ts';

/** E-mail address and password: on the page, and in the dialog over a page whose session has ended. */
export function SignInForm({
  onSignedIn,
  ...form
}: {
  readonly name: string;
  readonly knownEmail?: string;
  readonly otherButtons?: ReactNode;
  onSignedIn(user: SignedInUser): void;
}) {
  const { data: server } = useSignUpState();
  return (
    <CredentialsForm
      {...form}
      isNew={false}
      action={texts.signIn}
      send={async ({ email, password }) => {
        const outcome = await client.auth.signIn({ email, password });
        switch (outcome.kind) {
          case 'signed_in':
            onSignedIn(outcome.user);
            return null;
          case 'wrong_credentials':
            return { ...problem('email', texts.wrongCredentials), forgetsPassword: true };
          case 'account_disabled':
            return problem('email', outcome.message);
          case 'too_many_attempts':
            return waitProblem(outcome.retryAfterSeconds);
          case 'wrong_origin':
            return wrongOriginProblem(server?.appUrl, outcome.message);
          case 'invalid':
            return problem(fieldOf(outcome.message), outcome.message);
        }
      }}
    />
  );
}
