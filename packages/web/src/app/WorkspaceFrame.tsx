import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { folderAddress, locationOf } from '../api/addresses.ts';
import { isNotThere } from '../api/feed-connection.ts';
import { lastWorkspace } from '../api/last-workspace.ts';
import { useNewMembers } from '../api/use-new-members.ts';
import { useUsage, useWorkspaceRecord } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { FolderCommands } from '../files/FolderCommands.tsx';
import { KeptText } from '../saving/KeptText.tsx';
import { keptNumber, keptSwitch } from '../store/kept.ts';
import { serverResponds, useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { shortcuts } from '../text/en/shortcuts.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { useCommands } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { loadSoon } from '../ui/load-soon.ts';
import { loadMenus } from '../ui/Menu.tsx';
import { NotFound } from '../ui/NotFound.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PlainPage, WithinFrame } from '../ui/PlainPage.tsx';
import { shownWorkspaceName } from '../ui/page-title.ts';
import { Resizer } from '../ui/Resizer.tsx';
import { Slot } from '../ui/Slot.tsx';
import { LoadFailure } from '../ui/States.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { Header } from './Header.tsx';
import { Navigation } from './Navigation.tsx';
import { SoughtProvider } from './SoughtProvider.tsx';
import { useWorkspaceTheme } from './use-theme.ts';
import { WorkspaceNotice } from './WorkspaceNotice.tsx';
import './workspace-frame.css';

/** Parts for the first actions in a workspace: dialogs, files, search. */
const soon = [
  () => import('../ui/Dialog.tsx'),
  () => import('../file-page/FilePage.tsx'),
  () => import('../palette/Palette.tsx'),
  // Pages that users open while the server does not respond.
  () => import('../activity/ActivityPage.tsx'),
  () => import('../conflicts/ConflictsPage.tsx'),
];

const Dialog = lazy(async () => ({ default: (await import('../ui/Dialog.tsx')).Dialog }));

const navigationBounds = { min: 200, max: 480 };
const navigationWidth = keptNumber('stoa.navigation-width', navigationBounds, 280);
const navigationShown = keptSwitch('stoa.navigation-shown', true);

/** The frame of the pages of a workspace: header, navigation, main, panel. */
export function WorkspaceFrame() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId' });
  const record = useWorkspaceRecord(workspaceId);
  const usage = useUsage(workspaceId);
  const { feed, listing } = useWorkspace(workspaceId);
  const feedState = useStore(feed.state);
  const listingState = useStore(listing.state);
  const name = record.data?.name ?? null;
  const address = useRouterState({ select: (state) => state.location.publicHref.split('?')[0] ?? '' });

  useNewMembers(workspaceId);
  useWorkspaceTheme(record.data?.theme);
  useEffect(() => {
    serverResponds.set(feedState.kind !== 'failing');
    return () => serverResponds.set(true);
  }, [feedState.kind]);
  const isListed = listingState.kind === 'ready';
  // Load menus before the page is idle, because their entries explain what a lost connection disables. On a slow line
  // the list comes first.
  const isResponded = listingState.kind !== 'loading';
  useEffect(() => (isResponded ? loadMenus() : undefined), [isResponded]);
  useEffect(() => (isListed ? loadSoon(soon) : undefined), [isListed]);
  useEffect(() => {
    shownWorkspaceName.set(name);
    return () => shownWorkspaceName.set(null);
  }, [name]);

  const isGone =
    (feedState.kind === 'stopped' && feedState.status !== 401) ||
    isNotThere(record.error) ||
    (listingState.kind === 'failed' && isNotThere(listingState.error));
  useEffect(() => {
    if (isGone) lastWorkspace.forget(workspaceId);
    else if (name !== null) lastWorkspace.keep(workspaceId);
  }, [isGone, name, workspaceId]);

  if (isGone) {
    return (
      <PlainPage>
        <NotFound>
          <KeptText workspaceId={workspaceId} path={filePathOf(address)} />
        </NotFound>
      </PlainPage>
    );
  }
  if (record.data === undefined && record.error !== null) {
    return (
      <PlainPage>
        <PageHeading title={shell.product} hidden />
        <LoadFailure what={shell.theWorkspace} error={record.error} onRetry={() => void record.refetch()} />
      </PlainPage>
    );
  }
  return (
    <Parts
      workspaceId={workspaceId}
      workspaceName={name ?? ''}
      isLoading={listingState.kind === 'loading'}
      notice={<WorkspaceNotice usage={usage.data ?? null} />}
    />
  );
}

function filePathOf(address: string): string | null {
  const location = locationOf(address);
  return location.kind === 'file' ? location.path : null;
}

function Parts({
  workspaceId,
  workspaceName,
  isLoading,
  notice,
}: {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly isLoading: boolean;
  readonly notice: ReactNode;
}) {
  const narrow = useNarrow();
  const isShown = useStore(navigationShown);
  const width = useStore(navigationWidth);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const goTo = useGoTo();
  const pathname = useRouterState({ select: (state) => state.location.publicHref.split('?')[0] ?? '' });
  const location = locationOf(pathname);

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the drawer
  useEffect(() => setDrawerOpen(false), [pathname]);

  useCommands([
    {
      id: 'navigation.toggle',
      words: narrow ? shell.openNavigation : isShown ? shell.hideNavigation : shell.showNavigation,
      keys: ['Mod+.'],
      run: () => (narrow ? setDrawerOpen(true) : navigationShown.set(!navigationShown.get())),
    },
    {
      id: 'go.top',
      words: shortcuts.topFolder,
      keys: ['g h'],
      run: () => goTo(folderAddress(workspaceId, '')),
    },
    {
      id: 'workspace.new',
      words: shell.newWorkspace,
      needsServer: true,
      run: () => openDialog({ kind: 'new-workspace' }),
    },
  ]);

  const navigation = <Navigation workspaceId={workspaceId} page={location} />;
  return (
    <div className="frame">
      <Header
        workspaceId={workspaceId}
        workspaceName={workspaceName}
        page={location}
        navigation={
          narrow
            ? { kind: 'drawer', open: () => setDrawerOpen(true) }
            : { kind: 'column', shown: isShown, toggle: () => navigationShown.set(!isShown) }
        }
      />
      <div className="frame-body">
        {narrow || !isShown ? null : (
          <nav
            className="frame-navigation"
            style={{ inlineSize: width }}
            aria-label={shell.workspaceNavigation}
          >
            {navigation}
            <Resizer
              label={shell.navigationWidth}
              side="start"
              value={width}
              {...navigationBounds}
              onChange={navigationWidth.set}
            />
          </nav>
        )}
        <main id="main" tabIndex={-1} className="frame-main" aria-busy={isLoading}>
          {notice}
          <WithinFrame value>
            <SoughtProvider>
              <Outlet />
            </SoughtProvider>
          </WithinFrame>
          <FolderCommands workspaceId={workspaceId} page={location} />
        </main>
        <Slot name="panel" className="frame-panel" />
      </div>
      {narrow && drawerOpen ? (
        <Suspense>
          <Dialog title={shell.navigation} hideTitle position="drawer" onClose={() => setDrawerOpen(false)}>
            <nav className="frame-drawer" aria-label={shell.workspaceNavigation}>
              {navigation}
            </nav>
          </Dialog>
        </Suspense>
      ) : null}
    </div>
  );
}
