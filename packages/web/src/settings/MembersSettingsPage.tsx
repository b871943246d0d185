import { useParams } from '@tanstack/react-router';
import { MembersPage } from '../members/MembersPage.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** `/w/{id}/settings/members`. */
export function MembersSettingsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/members' });
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/members">
      <MembersPage workspaceId={workspaceId} />
    </SettingsFrame>
  );
}
