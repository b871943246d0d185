import { account as texts } from '../text/en/account.ts';
import { shell } from '../text/en/shell.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { KeptTexts } from './KeptTexts.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PreferencesForm } from './PreferencesForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { ProviderLink, useSignInWays } from './ProviderSignIn.tsx';
import { SessionList } from './SessionList.tsx';
import './account.css';

export function ProfilePage() {
  const ways = useSignInWays();
  return (
    <div className="account-page">
      <PageHeading title={shell.profile} />
      <ProfileForm />
      <PreferencesForm />
      {ways === null || ways.password ? <PasswordForm /> : <NoPassword />}
      {ways === null ? null : <ProviderLink isLinked={ways.provider} name={ways.name} />}
      <SessionList />
      <KeptTexts />
    </div>
  );
}

function NoPassword() {
  return (
    <section className="account-section" aria-labelledby="account-no-password">
      <h2 id="account-no-password">{texts.passwordForm}</h2>
      <p>{texts.noPassword}</p>
    </section>
  );
}
