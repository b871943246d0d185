import { type AppPage, fileAddress, folderAddress, workspacePageAddress } from '../api/addresses.ts';
import { nameOf } from '../api/listing-index.ts';
import { unsavedTexts } from '../api/unsaved-texts.ts';
import { useWorkspaces } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { serverResponds, useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { availableCommands, registeredCommands, runCommand } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { Icon } from '../ui/Icon.tsx';
import { keysText } from '../ui/keys.ts';
import { Menu } from '../ui/Menu.tsx';
import { Slot } from '../ui/Slot.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import './header.css';
import { WorkspaceMark } from './WorkspaceMark.tsx';

export type NavigationControl =
  | { readonly kind: 'drawer'; open(): void }
  | { readonly kind: 'column'; readonly shown: boolean; toggle(): void };

export function Header({
  workspaceId,
  workspaceName,
  page: location,
  navigation,
}: {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly page: AppPage;
  readonly navigation: NavigationControl;
}) {
  const { feed } = useWorkspace(workspaceId);
  const narrow = navigation.kind === 'drawer';
  return (
    <header className="header-lines">
      <div className="header">
        {navigation.kind === 'drawer' ? (
          <IconButton icon="menu" name={shell.openNavigation} onClick={navigation.open} />
        ) : (
          <IconButton
            icon="navigation"
            name={navigation.shown ? shell.hideNavigation : shell.showNavigation}
            onClick={navigation.toggle}
          />
        )}
        <WorkspaceMenu workspaceId={workspaceId} workspaceName={workspaceName} />
        <Breadcrumbs workspaceId={workspaceId} workspaceName={workspaceName} page={location} />
        <div className="header-end">
          <ConnectionStatus feed={feed} />
          <UnsavedFiles />
          <Slot name="save-state" className="header-save-state" />
          {/* On narrow screens the page shows these buttons, so that the header fits on one line. */}
          {narrow ? null : <Slot name="panel-buttons" className="header-panels" />}
          <CommandButton id="find" icon="search" name={shell.find} keys="Mod+K" />
          <CommandButton id="share" icon="share" name={shell.share} />
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

/** Files with unsaved text whose page is not open. Links to the first of them. */
function UnsavedFiles() {
  const waiting = useStore(unsavedTexts).filter(({ isOpen }) => !isOpen);
  const first = waiting[0];
  if (first === undefined) return null;
  return (
    <AppLink className="header-unsaved" to={fileAddress(first.workspaceId, first.path)}>
      {shell.filesNotSaved(waiting.length)}
    </AppLink>
  );
}

/** A button for a registered command; hidden until it is registered. On narrow screens it shows only its icon. */
function CommandButton({
  id,
  icon,
  name,
  keys,
}: {
  readonly id: string;
  readonly icon: 'search' | 'share';
  readonly name: string;
  readonly keys?: string;
}) {
  useStore(registeredCommands);
  useStore(serverResponds);
  const command = availableCommands().find((candidate) => candidate.id === id);
  if (command === undefined) return null;
  return (
    <Button
      kind="quiet"
      className={`header-command header-${id}`}
      icon={icon}
      aria-label={name}
      disabledBecause={command.disabled?.() ?? null}
      onClick={() => runCommand(id)}
    >
      <span className="header-command-name">{name}</span>
      {keys === undefined ? null : <kbd className="header-command-keys" data-keys={keysText(keys)} />}
    </Button>
  );
}

function WorkspaceMenu({
  workspaceId,
  workspaceName,
}: {
  readonly workspaceId: string;
  readonly workspaceName: string;
}) {
  const workspaces = useWorkspaces();
  const goTo = useGoTo();
  const all = workspaces.data ?? [];
  const own = all.find(({ id }) => id === workspaceId);
  return (
    <Menu
      entries={[
        {
          kind: 'choice',
          label: shell.workspaces,
          value: workspaceId,
          options: all.map(({ id, name, icon, color }) => ({
            value: id,
            label: visibleName(name),
            picture: <WorkspaceMark name={name} icon={icon} color={color} />,
          })),
          onSelect: (id) => goTo(folderAddress(id, '')),
        },
        { kind: 'separator' },
        {
          kind: 'item',
          label: shell.newWorkspace,
          icon: 'plus',
          needsServer: true,
          onSelect: () => openDialog({ kind: 'new-workspace' }),
        },
        {
          kind: 'item',
          label: shell.workspaceSettings,
          icon: 'settings',
          onSelect: () => goTo(workspacePageAddress(workspaceId, 'settings')),
        },
      ]}
    >
      <Button
        kind="quiet"
        className="header-workspace"
        aria-label={shell.workspaceMenu(visibleName(workspaceName))}
      >
        <WorkspaceMark name={workspaceName} icon={own?.icon ?? null} color={own?.color ?? null} />
        <Icon name="chevron-down" size={14} />
      </Button>
    </Menu>
  );
}

function Breadcrumbs({
  workspaceId,
  workspaceName,
  page: location,
}: {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly page: AppPage;
}) {
  const crumbs = crumbsOf(workspaceId, workspaceName, location);
  return (
    <nav className="breadcrumbs" aria-label={shell.breadcrumbs}>
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={crumb.address}>
            {index === 0 ? null : <Icon name="chevron-right" size={14} />}
            <AppLink
              to={crumb.address}
              {...(index === crumbs.length - 1 ? { 'aria-current': 'page' as const } : {})}
              {...(crumb.folder === null ? {} : { 'data-drop-folder': crumb.folder })}
            >
              {visibleName(crumb.name)}
            </AppLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface Crumb {
  readonly name: string;
  readonly address: string;
  /** Target folder for dropped items; null if it is not a folder. */
  readonly folder: string | null;
}

function crumbsOf(workspaceId: string, workspaceName: string, location: AppPage): readonly Crumb[] {
  const top = { name: workspaceName, address: folderAddress(workspaceId, ''), folder: '' };
  switch (location.kind) {
    case 'elsewhere':
      return [top];
    case 'workspace-page': {
      const first = location.page.split('/')[0];
      if (first === 'settings') {
        return [
          top,
          { name: shell.settings, address: workspacePageAddress(workspaceId, 'settings'), folder: null },
        ];
      }
      const names = { activity: shell.activity, conflicts: shell.conflicts, find: shell.find } as const;
      const name = names[first as keyof typeof names];
      return [top, { name, address: workspacePageAddress(workspaceId, location.page), folder: null }];
    }
    case 'folder':
    case 'file': {
      const parts = location.path === '' ? [] : location.path.split('/');
      const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
      return [
        top,
        ...paths.map((path, index) => {
          const isFile = location.kind === 'file' && index === paths.length - 1;
          return {
            name: nameOf(path),
            address: isFile ? fileAddress(workspaceId, path) : folderAddress(workspaceId, path),
            folder: isFile ? null : path,
          };
        }),
      ];
    }
  }
}
