import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { type AddressSearch, fileAddress, folderAddress } from '../api/addresses.ts';
import type { Entry, Listing } from '../api/listing-index.ts';
import { nameOf } from '../api/listing-index.ts';
import { useChangeSearch } from '../api/use-change-search.ts';
import { useListing } from '../api/use-listing.ts';
import { useMembers, useWorkspaceRecord } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { ownValue } from '../store/own-value.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { runCommand, useCommands } from '../ui/commands.ts';
import { Select } from '../ui/Field.tsx';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { MenuAt, type MenuLocation } from '../ui/Menu.tsx';
import { NotFound } from '../ui/NotFound.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { useRowHeight } from '../ui/use-row-height.ts';
import { EntryGrid } from './EntryGrid.tsx';
import { entryMenu, pagePalette } from './entry-commands.ts';
import { defaultSort, isSort, type Sort, sortChoices, sortedChildren } from './entry-order.ts';
import { folderPageOf } from './folder-contents.ts';
import { itemCommands, runItemKey } from './item-commands.ts';
import { NewMenu } from './NewMenu.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { clearSelection, keepPresent, noSelection } from './selection.ts';
import { useFiles } from './use-files.ts';
import './folder-page.css';

const CalendarView = lazy(async () => ({
  default: (await import('../calendar/CalendarView.tsx')).CalendarView,
}));
const ReadmeView = lazy(async () => ({
  default: (await import('../reading/ReadmeView.tsx')).ReadmeView,
}));

const nobody: readonly never[] = [];

/** The page of a folder: its entries, and its README below. */
export function FolderPage() {
  const { workspaceId = '', _splat: folder } = useParams({ strict: false });
  const { sort, view, month = '' }: AddressSearch = useSearch({ strict: false });
  if (folder === '') return <NotFound />;
  return (
    <Folder
      key={`${workspaceId} ${folder ?? ''}`}
      workspaceId={workspaceId}
      folder={folder ?? ''}
      chosenSort={isSort(sort) ? sort : null}
      chosenView={view === 'list' || view === 'calendar' ? view : null}
      chosenMonth={month}
    />
  );
}

type View = 'list' | 'calendar';

interface FolderProps {
  readonly workspaceId: string;
  readonly folder: string;
  readonly chosenSort: Sort | null;
  /** Overrides the front matter of the folder's page. */
  readonly chosenView: View | null;
  readonly chosenMonth: string;
}

function Folder(props: FolderProps) {
  const { workspaceId, folder } = props;
  const state = useListing(workspaceId);
  const { listing } = useWorkspace(workspaceId);
  const workspaceName = useWorkspaceRecord(workspaceId).data?.name;
  const goTo = useGoTo();
  const isFile = state.kind === 'ready' && state.listing.files.has(folder);

  useEffect(() => {
    if (isFile) goTo(fileAddress(workspaceId, folder), { replace: true });
  }, [isFile, workspaceId, folder, goTo]);

  switch (state.kind) {
    case 'loading':
      return (
        <div className="folder-page" aria-busy="true">
          <LoadingLines />
        </div>
      );
    case 'failed':
      return (
        <div className="folder-page">
          <div className="folder-head">
            <PageHeading
              title={visibleName(folder === '' ? (workspaceName ?? '') : nameOf(folder))}
              pageKey={`folder ${workspaceId} ${folder}`}
            />
          </div>
          <LoadFailure what={texts.couldNotBeLoaded} error={state.error} onRetry={() => listing.reload()} />
        </div>
      );
    case 'ready':
      if (isFile) return null;
      if (folder !== '' && !state.listing.folders.has(folder)) {
        return (
          <div className="folder-page">
            <NotFound />
          </div>
        );
      }
      return <Contents {...props} listing={state.listing} />;
  }
}

function Contents({
  workspaceId,
  folder,
  chosenSort,
  chosenView,
  chosenMonth,
  listing,
}: FolderProps & { readonly listing: Listing }) {
  const context = useFiles(workspaceId);
  const members = useMembers(workspaceId).data ?? nobody;
  const goTo = useGoTo();
  const change = useChangeSearch();
  const narrow = useNarrow();
  const rowHeight = useRowHeight();
  const children = listing.childrenOf(folder);
  const sort = chosenSort ?? defaultSort(listing, children);
  const readme = folderPageOf(listing, folder);
  const ownView = readme?.frontMatter?.view ?? 'list';
  const view = chosenView ?? ownView;
  const entries = useMemo(() => sortedChildren(listing, folder, sort), [listing, folder, sort]);
  const rows = useMemo(() => entries.map(({ path }) => path), [entries]);
  const [menu, setMenu] = useState<{
    readonly entry: Entry;
    readonly location: MenuLocation;
    readonly returnTo: HTMLElement | null;
  } | null>(null);
  const [inGrid, setInGrid] = useState(false);

  const [chosen, setSelection] = useState(noSelection);
  const before = useRef(rows);
  const selection = keepPresent(chosen, before.current, rows);
  useEffect(() => {
    before.current = rows;
    if (selection !== chosen) setSelection(selection);
  });

  const targets = selection.selected.size > 0 ? rows.filter((path) => selection.selected.has(path)) : [];
  const focused = inGrid && selection.focus !== null ? [selection.focus] : [];
  const items = targets.length > 0 ? targets : focused;
  const own = folder === '' ? null : listing.entryAt(folder);
  useCommands(items.length > 0 || own === null ? itemCommands(context, items) : pagePalette(context, own));

  const name = folder === '' ? context.workspaceName : nameOf(folder);
  const title = titleOf(listing, folder) ?? name;

  function openMenu(
    entry: Entry,
    at: { readonly x: number; readonly y: number } | null,
    button: HTMLElement | null,
  ) {
    const box = button?.getBoundingClientRect();
    const location =
      at !== null
        ? { ...at, width: 0, height: 0 }
        : { x: box?.left ?? 0, y: box?.top ?? 0, width: box?.width ?? 0, height: box?.height ?? 0 };
    setMenu({
      entry,
      location,
      returnTo: document.activeElement instanceof HTMLElement ? document.activeElement : null,
    });
  }

  const open = (path: string) =>
    goTo(listing.files.has(path) ? fileAddress(workspaceId, path) : folderAddress(workspaceId, path));
  const setSort = (next: Sort) => {
    change({ sort: next === defaultSort(listing, children) ? undefined : next });
  };

  return (
    <div className="folder-page">
      <div className="folder-head">
        <PageHeading title={visibleName(title)} pageKey={`folder ${workspaceId} ${folder}`}>
          {own !== null && Object.hasOwn(listing.icons, folder) ? (
            <span className="folder-icon">
              <GivenIcon icon={ownValue(listing.icons, folder)} plain="folder" size={24} />
            </span>
          ) : null}
          {visibleName(title)}
        </PageHeading>
        {own === null ? null : (
          <IconButton
            icon="more"
            name={texts.actionsFor(visibleName(nameOf(folder)))}
            aria-haspopup="menu"
            aria-expanded={menu?.entry.path === folder}
            onClick={(event) => openMenu(own, null, event.currentTarget)}
          />
        )}
        <div className="folder-controls">
          {narrow ? <NewMenu /> : null}
          <RadioGroup<View>
            label={texts.view}
            hideLabel
            layout="segments"
            value={view}
            options={[
              { value: 'list', label: texts.viewList },
              { value: 'calendar', label: texts.viewCalendar },
            ]}
            onChange={(next) => change({ view: next === ownView ? undefined : next, month: undefined })}
          />
          {view === 'calendar' ? null : (
            <Select
              label={texts.sort}
              inline
              value={sort}
              options={sortChoices.map((value) => ({ value, label: texts.sortChoices[value] }))}
              onChange={(value) => {
                if (isSort(value)) setSort(value);
              }}
            />
          )}
        </div>
      </div>
      {targets.length === 0 ? null : (
        <SelectionBar context={context} paths={targets} onClear={() => setSelection(clearSelection)} />
      )}
      {view === 'calendar' ? (
        <Suspense fallback={<LoadingLines />}>
          <CalendarView
            workspaceId={workspaceId}
            folder={folder}
            listing={listing}
            month={chosenMonth}
            readOnlyBecause={context.readOnlyBecause()}
            menuOf={(entry) => entryMenu(context, entry)}
            onMonth={(month) => change({ month })}
          />
        </Suspense>
      ) : entries.length === 0 ? (
        <EmptyState icon="folder-open" text={texts.empty}>
          <Button
            icon="file-plus"
            needsServer
            disabledBecause={context.readOnlyBecause()}
            onClick={() => runCommand('new-file')}
          >
            {texts.newFile}
          </Button>
          <Button
            icon="upload"
            needsServer
            disabledBecause={context.readOnlyBecause()}
            onClick={() => runCommand('upload-files')}
          >
            {texts.uploadFiles}
          </Button>
        </EmptyState>
      ) : (
        <EntryGrid
          workspaceId={workspaceId}
          name={name}
          listing={listing}
          entries={entries}
          rows={rows}
          members={members}
          selection={selection}
          onSelect={(change) => setSelection((now) => change(keepPresent(now, before.current, rows)))}
          sort={sort}
          onSort={setSort}
          ordered={chosenSort === null || chosenSort === 'custom'}
          rowHeight={rowHeight}
          menuOf={menu?.entry.path ?? null}
          onMenu={(path, at) => {
            const entry = listing.entryAt(path);
            const row = document.querySelector<HTMLElement>(`[role="row"][data-path="${CSS.escape(path)}"]`);
            if (entry !== null)
              openMenu(entry, at, row?.querySelector<HTMLElement>('.entry-menu-button') ?? row);
          }}
          onKey={(event, path) => runItemKey(event, context, targets.includes(path) ? targets : [path])}
          onOpen={open}
          onInside={setInGrid}
        />
      )}
      {readme === null ? null : (
        <Suspense>
          <ReadmeView key={readme.path} workspaceId={workspaceId} entry={readme} />
        </Suspense>
      )}
      {menu === null ? null : (
        <MenuAt
          name={texts.actionsFor(visibleName(menu.entry.name))}
          entries={entryMenu(context, menu.entry)}
          location={menu.location}
          returnTo={menu.returnTo}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

/** The title that the folder gives itself in README.md, else in index.md. */
function titleOf(listing: Listing, folder: string): string | null {
  for (const name of ['README.md', 'index.md']) {
    const title = listing.files.get(folder === '' ? name : `${folder}/${name}`)?.frontMatter?.title;
    if (title !== undefined) return title;
  }
  return null;
}
