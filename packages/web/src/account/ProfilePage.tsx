import { shell } from '../text/en/shell.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { KeptTexts } from './KeptTexts.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PreferencesForm } from './PreferencesForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { SessionList } from './SessionList.tsx';
import './account.css';

export function ProfilePage() {
  return (
    <div className="account-page">
      <PageHeading title={shell.profile} />
      <ProfileForm />
      <PreferencesForm />
      <PasswordForm />
      <SessionList />
      <KeptTexts />
    </div>
  );
}
