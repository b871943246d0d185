import type { ReactNode } from 'react';
import { type WorkspacePage, workspacePageAddress } from '../api/addresses.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { settings as texts } from '../text/en/settings.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import '../ui/page.css';
import './settings.css';

const pages: readonly { readonly page: WorkspacePage; readonly label: string }[] = [
  { page: 'settings', label: texts.general },
  { page: 'settings/appearance', label: texts.appearance },
  { page: 'settings/members', label: texts.members },
  { page: 'settings/links', label: texts.links },
  { page: 'settings/usage', label: texts.usage },
  { page: 'settings/audit', label: texts.audit },
];

/** The frame of all settings pages of a workspace. */
export function SettingsFrame({
  workspaceId,
  page,
  children,
}: {
  readonly workspaceId: string;
  readonly page: WorkspacePage;
  readonly children: ReactNode;
}) {
  const role = useWorkspaces().data?.find(({ id }) => id === workspaceId)?.role;
  const shown = pages.filter((each) => each.page !== 'settings/audit' || role === 'owner');
  const title = pages.find((candidate) => candidate.page === page)?.label ?? texts.general;
  return (
    <div className="page settings">
      <nav className="settings-navigation" aria-label={texts.navigation}>
        {shown.map((candidate) => (
          <AppLink
            key={candidate.page}
            to={workspacePageAddress(workspaceId, candidate.page)}
            aria-current={candidate.page === page ? 'page' : undefined}
          >
            {candidate.label}
          </AppLink>
        ))}
      </nav>
      <div className="settings-content">
        <PageHeading title={title} pageKey={page} />
        {children}
      </div>
    </div>
  );
}
