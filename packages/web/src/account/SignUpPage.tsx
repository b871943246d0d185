import type { SignUpState } from '@stoa/core';
import { useSearch } from '@tanstack/react-router';
import { inviteTokenOf, safeNext, signInAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { signedInAs } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';
import { fieldOf, problem, waitProblem, wrongOriginProblem } from './credentials.ts';
import { ProviderSignIn } from './ProviderSignIn.tsx';
import { useSignUpState } from './use-sign-up-state.ts';

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const server = useSignUpState().data;
  const destination = safeNext(next, location.origin);
  const inviteToken = inviteTokenOf(destination);
  const isClosed = isShut(server?.signUp, inviteToken);
  const provider = server?.provider;
  const admitsByProvider = provider !== undefined && !isShut(provider.signUp, inviteToken);
  return (
    <PlainPage>
      <PageHeading title={texts.createAccount} />
      {server?.signUp === 'first' ? <p className="account-lead">{texts.firstAccount}</p> : null}
      {isClosed ? (
        admitsByProvider ? null : (
          <p role="alert">{texts.signUpClosed}</p>
        )
      ) : (
        <SignUpForm destination={destination} inviteToken={inviteToken} appUrl={server?.appUrl} />
      )}
      {admitsByProvider ? <ProviderSignIn next={destination} inviteToken={inviteToken} /> : null}
      <p className="account-other">
        {texts.haveAccount} <AppLink to={signInAddress(destination)}>{texts.signIn}</AppLink>
      </p>
    </PlainPage>
  );
}

function isShut(signUp: SignUpState | undefined, inviteToken: string | undefined): boolean {
  return signUp === 'closed' || (signUp === 'invite' && inviteToken === undefined);
}

function SignUpForm({
  destination,
  inviteToken,
  appUrl,
}: {
  readonly destination: string;
  readonly inviteToken: string | undefined;
  readonly appUrl: string | undefined;
}) {
  const goTo = useGoTo();
  return (
    <CredentialsForm
      name={texts.createAccount}
      isNew
      action={texts.createAccountButton}
      send={async (credentials) => {
        const outcome = await client.auth.signUp({
          ...credentials,
          ...(inviteToken === undefined ? {} : { inviteToken }),
        });
        switch (outcome.kind) {
          case 'signed_up':
            signedInAs(outcome.user, {
              address: destination,
              go: () => goTo(destination, { replace: true }),
            });
            return null;
          case 'email_taken':
            return problem('email', texts.emailTaken);
          case 'sign_up_closed':
            return problem('email', texts.signUpClosed);
          case 'too_many_attempts':
            return waitProblem(outcome.retryAfterSeconds);
          case 'wrong_origin':
            return wrongOriginProblem(appUrl, outcome.message);
          case 'invalid':
            return problem(fieldOf(outcome.message), outcome.message);
        }
      }}
    />
  );
}
