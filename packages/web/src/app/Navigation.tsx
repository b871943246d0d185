import { sizeText } from '@stoa/core';
import { type AppPage, workspacePageAddress } from '../api/addresses.ts';
import { originalOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { useUsage } from '../api/use-workspace.ts';
import { FileTree } from '../files/FileTree.tsx';
import { NewMenu } from '../files/NewMenu.tsx';
import { shell } from '../text/en/shell.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { useCommands } from '../ui/commands.ts';
import { Icon } from '../ui/Icon.tsx';
import { Meter } from '../ui/Meter.tsx';
import './navigation.css';

/** The storage bar appears from this share on. */
const storageShownFrom = 0.8;

/** The content of the sidebar, and of the drawer on narrow screens. */
export function Navigation({
  workspaceId,
  page: location,
}: {
  readonly workspaceId: string;
  readonly page: AppPage;
}) {
  return (
    <div className="navigation">
      <NewMenu />
      <div className="navigation-tree">
        <FileTree workspaceId={workspaceId} page={location} />
      </div>
      <PageLinks workspaceId={workspaceId} page={location} />
      <StorageBar workspaceId={workspaceId} />
    </div>
  );
}

/** Links to the workspace's pages other than files. */
function PageLinks({
  workspaceId,
  page: location,
}: {
  readonly workspaceId: string;
  readonly page: AppPage;
}) {
  const goTo = useGoTo();
  const shown = location.kind === 'workspace-page' ? location.page : null;
  const listing = useListing(workspaceId);
  const copies =
    listing.kind === 'ready'
      ? [...listing.listing.files.values()].filter((file) => originalOf(file) !== null).length
      : 0;
  const links = [
    { page: 'activity', label: shell.activity, icon: 'activity', keys: 'g a' },
    {
      page: 'conflicts',
      label: copies === 0 ? shell.conflicts : shell.conflictsCounted(copies),
      icon: 'conflict',
      keys: 'g c',
    },
    { page: 'settings', label: shell.settings, icon: 'settings', keys: 'g s' },
  ] as const;
  useCommands(
    links.map(({ page, label, keys }) => ({
      id: `go.${page}`,
      words: label,
      keys: [keys],
      run: () => goTo(workspacePageAddress(workspaceId, page)),
    })),
  );
  return (
    <div className="navigation-links">
      {links.map(({ page, label, icon }) => (
        <AppLink
          key={page}
          to={workspacePageAddress(workspaceId, page)}
          className="navigation-link"
          aria-current={shown === page ? 'page' : shown?.startsWith(page) === true ? 'true' : undefined}
        >
          <Icon name={icon} />
          {label}
        </AppLink>
      ))}
    </div>
  );
}

function StorageBar({ workspaceId }: { readonly workspaceId: string }) {
  const usage = useUsage(workspaceId).data;
  if (usage === undefined || usage.limitBytes === null) return null;
  const { usedBytes, limitBytes } = usage;
  if (usedBytes < limitBytes * storageShownFrom) return null;
  return (
    <div className="navigation-storage">
      <Meter
        label={shell.storageUsed}
        value={usedBytes}
        max={limitBytes}
        text={shell.usedOf(sizeText(usedBytes), sizeText(limitBytes))}
        warning
      />
    </div>
  );
}
