import { useSearch } from '@tanstack/react-router';
import { inviteTokenOf, safeNext, signInAddress } from '../api/addresses.ts';
import { signedInAs } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { ProviderError, ProviderSignIn } from './ProviderSignIn.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useSignUpState } from './use-sign-up-state.ts';

export function SignInPage() {
  const { next } = useSearch({ from: '/signin' });
  const goTo = useGoTo();
  const server = useSignUpState().data;
  const destination = safeNext(next, location.origin);
  const inviteToken = inviteTokenOf(destination);
  // An invite allows sign-up where it is otherwise closed.
  const isPossible =
    server?.signUp === 'first' ||
    server?.signUp === 'open' ||
    (server?.signUp === 'invite' && inviteToken !== undefined);
  return (
    <PlainPage>
      <PageHeading title={texts.signIn} />
      <ProviderError />
      <SignInForm
        name={texts.signIn}
        onSignedIn={(user) =>
          signedInAs(user, { address: destination, go: () => goTo(destination, { replace: true }) })
        }
      />
      <ProviderSignIn next={destination} inviteToken={inviteToken} />
      <p className="account-other">{texts.forgotPassword}</p>
      {isPossible ? (
        <p className="account-other">
          {texts.newHere}{' '}
          <AppLink to={signInAddress(destination, 'signup')}>{texts.createAccountLink}</AppLink>
        </p>
      ) : null}
    </PlainPage>
  );
}
