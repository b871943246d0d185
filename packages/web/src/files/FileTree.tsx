import { foldersAbove, parseWorkspacePath } from '@stoa/core';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type AppPage, fileAddress, folderAddress } from '../api/addresses.ts';
import { type Entry, type Listing, originalOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { createKept } from '../store/kept.ts';
import { ownValue } from '../store/own-value.ts';
import { useStore } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { fileIcon, Icon } from '../ui/Icon.tsx';
import { MenuAt, type MenuLocation } from '../ui/Menu.tsx';
import { useContextMenu } from '../ui/use-context-menu.ts';
import { useRowHeight } from '../ui/use-row-height.ts';
import { WindowedRows } from '../ui/WindowedRows.tsx';
import { entryMenu } from './entry-commands.ts';
import { statesOf } from './entry-facts.ts';
import { runItemKey } from './item-commands.ts';
import { typeAhead } from './selection.ts';
import { type TreeRow, treeMove, treeRows } from './tree-rows.ts';
import { endDrag, startDrag, unfoldEvent } from './use-file-drops.ts';
import { useFiles } from './use-files.ts';
import { useTypedName } from './use-typed-name.ts';
import './file-tree.css';

/** Limit of remembered expanded folders, over all workspaces of this device. */
const unfoldedMax = 500;

/** Expanded folders, as `{workspace}/{path}`. */
const unfolded = createKept<readonly string[]>('stoa.unfolded', parseUnfolded, JSON.stringify);

function parseUnfolded(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function setUnfolded(workspaceId: string, paths: readonly string[], open: boolean): void {
  const keys = new Set(paths.map((path) => `${workspaceId}/${path}`));
  const others = unfolded.get().filter((key) => !keys.has(key));
  if (open || others.length < unfolded.get().length) {
    unfolded.set((open ? [...others, ...keys] : others).slice(-unfoldedMax));
  }
}

/** The files of the workspace in the navigation. It contains only items; their actions are in their menu. */
export function FileTree({
  workspaceId,
  page: location,
}: {
  readonly workspaceId: string;
  readonly page: AppPage;
}) {
  const state = useListing(workspaceId);
  return state.kind === 'ready' ? (
    <Tree workspaceId={workspaceId} listing={state.listing} page={location} />
  ) : null;
}

function Tree({
  workspaceId,
  listing,
  page: location,
}: {
  readonly workspaceId: string;
  readonly listing: Listing;
  readonly page: AppPage;
}) {
  const context = useFiles(workspaceId);
  const goTo = useGoTo();
  const rowHeight = useRowHeight();
  const keys = useStore(unfolded);
  const rows = useMemo(() => {
    const own = keys.filter((key) => key.startsWith(`${workspaceId}/`));
    return treeRows(listing, new Set(own.map((key) => key.slice(workspaceId.length + 1))));
  }, [listing, keys, workspaceId]);
  const shownPath = location.kind === 'file' || location.kind === 'folder' ? location.path : '';
  const [focus, setFocus] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ readonly entry: Entry; readonly page: MenuLocation } | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const typedName = useTypedName();
  const wanted = focus ?? shownPath;
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === wanted),
  );

  // Reveal the item of the page, however the user got there.
  useEffect(() => {
    if (shownPath === '') return;
    setUnfolded(workspaceId, foldersAbove(parseWorkspacePath(shownPath)), true);
    setFocus(shownPath);
  }, [workspaceId, shownPath]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item in a folder appears after the folder is expanded
  useEffect(() => {
    const element = tree.current;
    if (element === null || focus === null || !element.contains(document.activeElement)) return;
    if (document.activeElement instanceof HTMLElement && document.activeElement.dataset.path === focus)
      return;
    const item = itemOf(element, focus);
    item?.scrollIntoView({ block: 'nearest' });
    item?.focus({ preventScroll: true });
  }, [focus, at]);

  useEffect(() => {
    const element = tree.current;
    const unfold = (event: Event) => {
      if (event instanceof CustomEvent && typeof event.detail === 'string') {
        setUnfolded(workspaceId, [event.detail], true);
      }
    };
    element?.addEventListener(unfoldEvent, unfold);
    return () => element?.removeEventListener(unfoldEvent, unfold);
  }, [workspaceId]);

  function open(row: TreeRow) {
    setFocus(row.path);
    if (row.kind === 'folder') setUnfolded(workspaceId, [row.path], true);
    goTo(row.kind === 'folder' ? folderAddress(workspaceId, row.path) : fileAddress(workspaceId, row.path));
  }

  function openMenu(path: string, point: { readonly x: number; readonly y: number } | null) {
    const entry = listing.entryAt(path);
    if (entry === null) return;
    const box = tree.current === null ? undefined : itemOf(tree.current, path)?.getBoundingClientRect();
    setMenu({
      entry,
      page:
        point !== null
          ? { ...point, width: 0, height: 0 }
          : { x: (box?.left ?? 0) + 24, y: box?.top ?? 0, width: 0, height: box?.height ?? 0 },
    });
  }

  const latest = useRef<TreeActions>({ open, openMenu, focus: setFocus, unfold });
  latest.current = { open, openMenu, focus: setFocus, unfold };

  function unfold(path: string, isOpen: boolean) {
    setUnfolded(workspaceId, [path], isOpen);
  }

  function pressed(event: React.KeyboardEvent) {
    const row = rows[at];
    if (row === undefined || event.nativeEvent.isComposing) return;
    const handled = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if ((event.key === 'F10' && event.shiftKey) || event.key === 'ContextMenu') {
      openMenu(row.path, null);
      return handled();
    }
    if (!typedName.goesOn(event) && runItemKey(event, context, [row.path])) return handled();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      open(row);
      return handled();
    }
    const move = treeMove(rows, row.path, event.key);
    if (move !== null) {
      if (move.kind === 'focus') setFocus(move.path);
      else setUnfolded(workspaceId, [move.path], move.kind === 'expand');
      return handled();
    }
    const name = typedName.next(event);
    if (name !== null) {
      const to = typeAhead(rows, row.path, name);
      if (to !== null) setFocus(to);
      return handled();
    }
  }

  return (
    <>
      <div
        ref={tree}
        className="file-tree"
        role="tree"
        tabIndex={-1}
        aria-label={texts.tree}
        onKeyDown={pressed}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget))
            setFocus(shownPath === '' ? null : shownPath);
        }}
      >
        <WindowedRows
          count={rows.length}
          rowHeight={rowHeight}
          keep={at}
          keyOf={(index) => rows[index]?.path ?? ''}
          renderRow={(index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TreeItem
                listing={listing}
                row={row}
                shown={row.path === shownPath}
                reachable={index === at}
                latest={latest}
              />
            );
          }}
        />
      </div>
      {menu === null ? null : (
        <MenuAt
          name={texts.actionsFor(visibleName(menu.entry.name))}
          entries={entryMenu(context, menu.entry)}
          location={menu.page}
          returnTo={tree.current === null ? null : itemOf(tree.current, menu.entry.path)}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

/** Values that an item needs only in handlers, so changes to them do not render it again. */
interface TreeActions {
  open(row: TreeRow): void;
  openMenu(path: string, point: { readonly x: number; readonly y: number }): void;
  focus(path: string): void;
  unfold(path: string, isOpen: boolean): void;
}

const TreeItem = memo(function TreeItem({
  listing,
  row,
  shown,
  reachable,
  latest,
}: {
  readonly listing: Listing;
  readonly row: TreeRow;
  /** Whether its page is the open one. */
  readonly shown: boolean;
  /** The one item in the tab order. */
  readonly reachable: boolean;
  readonly latest: RefObject<TreeActions>;
}) {
  const { kind, path, expanded } = row;
  const entry = listing.entryAt(path);
  const states = entry === null ? [] : statesOf(listing, entry);
  const name = visibleName(row.name);
  const menu = useContextMenu((at, item) => {
    item.focus({ preventScroll: true });
    latest.current.openMenu(path, at);
  });
  return (
    <div
      className="file-tree-item"
      role="treeitem"
      data-path={path}
      aria-label={name}
      aria-level={row.level}
      aria-setsize={row.setSize}
      aria-posinset={row.position}
      aria-selected={shown}
      {...(kind === 'folder' ? { 'aria-expanded': expanded, 'data-drop-folder': path } : {})}
      aria-description={states.length === 0 ? undefined : states.join(', ')}
      tabIndex={reachable ? 0 : -1}
      style={{ paddingInlineStart: 4 + (row.level - 1) * 16 }}
      draggable
      onDragStart={(event) => startDrag(event, [path])}
      onDragEnd={endDrag}
      onFocus={() => latest.current.focus(path)}
      onClick={(event) => {
        const onTwisty =
          event.target instanceof Element && event.target.closest('.file-tree-twisty') !== null;
        if (onTwisty && kind === 'folder') latest.current.unfold(path, !expanded);
        else latest.current.open(row);
      }}
      onKeyDown={undefined}
      {...menu}
    >
      <span className="file-tree-twisty" data-open={expanded ? true : undefined}>
        {kind === 'folder' ? <Icon name="chevron-right" size={14} /> : null}
      </span>
      <GivenIcon
        icon={ownValue(listing.icons, path)}
        plain={kind === 'file' ? fileIcon(row.name) : expanded ? 'folder-open' : 'folder'}
      />
      <span className="file-tree-name" dir="auto">
        {name}
      </span>
      {entry === null || originalOf(entry) === null ? null : <Icon name="conflict" size={12} />}
      {listing.privatePaths.has(path) ? <Icon name="private" size={12} /> : null}
    </div>
  );
});

function itemOf(tree: HTMLElement, path: string): HTMLElement | null {
  return tree.querySelector<HTMLElement>(`[role="treeitem"][data-path="${CSS.escape(path)}"]`);
}
