import { useParams } from '@tanstack/react-router';
import { LinksPage } from '../sharing/LinksPage.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** `/w/{id}/settings/links`. */
export function LinksSettingsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/links' });
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/links">
      <LinksPage workspaceId={workspaceId} />
    </SettingsFrame>
  );
}
