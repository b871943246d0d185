import { useSearch } from '@tanstack/react-router';
import { safeNext, signInAddress } from '../api/addresses.ts';
import { signedInAs } from '../api/session.ts';
import { account as texts } from '../text/en/account.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';
import { SignInForm } from './SignInForm.tsx';
import { useSignUpState } from './use-sign-up-state.ts';

export function SignInPage() {
  const { next } = useSearch({ from: '/signin' });
  const goTo = useGoTo();
  const server = useSignUpState().data;
  const destination = safeNext(next, location.origin);
  // With an invite at hand an account can be made where others cannot.
  const isPossible =
    server?.signUp === 'first' ||
    server?.signUp === 'open' ||
    (server?.signUp === 'invite' && destination.startsWith('/invite/'));
  return (
    <PlainPage>
      <PageHeading title={texts.signIn} />
      <SignInForm
        name={texts.signIn}
        onSignedIn={(user) => {
          signedInAs(user);
          goTo(destination, { replace: true });
        }}
      />
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
