// biome-ignore-all lint/a11y/useSemanticElements: the rows are windowed, and a grid has keys that a table lacks
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
import { sizeText } from '@stoa/core';
import { memo, type RefObject, useEffect, useRef } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import type { Entry, Listing } from '../api/listing-index.ts';
import { originalOf } from '../api/listing-index.ts';
import { whoOf } from '../api/people.ts';
import { ownValue } from '../store/own-value.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { fileIcon, Icon } from '../ui/Icon.tsx';
import { Time } from '../ui/Time.tsx';
import { useContextMenu } from '../ui/use-context-menu.ts';
import { WindowedRows } from '../ui/WindowedRows.tsx';
import { isForAgents, lastChangeOf, statesOf } from './entry-facts.ts';
import { type Sort, sizeOf } from './entry-order.ts';
import { clearSelection, extendTo, type Selection, selectAll, selectOnly, toggle } from './selection.ts';
import { endDrag, startDrag } from './use-file-drops.ts';
import { useGridKeys } from './use-grid-keys.ts';
import './entry-grid.css';

export interface EntryGridProps {
  readonly workspaceId: string;
  readonly name: string;
  readonly listing: Listing;
  readonly entries: readonly Entry[];
  /** Paths of the entries. */
  readonly rows: readonly string[];
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly selection: Selection;
  onSelect(change: (before: Selection) => Selection): void;
  readonly sort: Sort;
  onSort(sort: Sort): void;
  /** Whether rows can be reordered by dragging. */
  readonly ordered: boolean;
  readonly rowHeight: number;
  /** The item whose menu is open. */
  readonly menuOf: string | null;
  /** `at` null: below the row's own button. */
  onMenu(path: string, at: { readonly x: number; readonly y: number } | null): void;
  /** Handles keys that act on items; returns whether it did. */
  onKey(event: React.KeyboardEvent, path: string): boolean;
  onOpen(path: string): void;
  /** Whether the focus is in the list. If so, keys and the palette act on its row. */
  onInside(inside: boolean): void;
}

/** The table of a folder. Only visible rows are in the document. */
export function EntryGrid(props: EntryGridProps) {
  const { entries, selection, onSelect, name, listing, rowHeight, sort, onSort } = props;
  const { rows } = props;
  const at = selection.focus === null ? -1 : rows.indexOf(selection.focus);
  const focused = at === -1 ? 0 : at;
  const grid = useRef<HTMLDivElement>(null);
  const keys = useGridKeys({ ...props, grid });
  // Rows render while the user scrolls. Values that only handlers need are read from this ref, not passed as props.
  const latest = useRef<RowActions>(props);
  latest.current = props;

  // The keyboard moved to another row: scroll to it and move the focus there.
  useEffect(() => {
    const element = grid.current;
    if (element === null || at === -1 || !element.contains(document.activeElement)) return;
    if (document.activeElement?.closest('[role="row"]')?.getAttribute('data-path') === selection.focus)
      return;
    const row = rowElement(element, selection.focus);
    row?.scrollIntoView({ block: 'nearest' });
    row?.focus({ preventScroll: true });
  }, [at, selection.focus]);

  const allSelected = rows.length > 0 && selection.selected.size === rows.length;
  return (
    <div
      ref={grid}
      className="entry-grid"
      role="grid"
      tabIndex={-1}
      aria-label={texts.contentsOf(visibleName(name))}
      aria-multiselectable="true"
      aria-rowcount={rows.length + 1}
      onKeyDown={keys}
      onFocus={() => props.onInside(true)}
      onBlur={({ relatedTarget, currentTarget }) => {
        // A dialog or a menu over the list still acts on the row below it.
        if (relatedTarget === null || currentTarget.contains(relatedTarget)) return;
        const over = relatedTarget.closest('[role="dialog"],[role="alertdialog"],[role="menu"]');
        if (over === null) props.onInside(false);
      }}
    >
      <div role="row" aria-rowindex={1} className="entry-row entry-head" tabIndex={-1}>
        <span role="columnheader" className="entry-check" tabIndex={-1}>
          <label className="entry-check-all">
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={allSelected}
              ref={(box) => {
                if (box !== null) box.indeterminate = !allSelected && selection.selected.size > 0;
              }}
              onChange={() =>
                onSelect((before) => (allSelected ? clearSelection(before) : selectAll(before, rows)))
              }
            />
          </label>
        </span>
        <ColumnHeader label={texts.columnName} of="name" sort={sort} onSort={onSort} />
        <ColumnHeader label={texts.columnChanged} of="changed" sort={sort} onSort={onSort} />
        <ColumnHeader label={texts.columnSize} of="size" sort={sort} onSort={onSort} />
        <span role="columnheader" className="entry-more" tabIndex={-1}>
          <span className="visually-hidden">{texts.columnActions}</span>
        </span>
      </div>
      <WindowedRows
        count={entries.length}
        rowHeight={rowHeight}
        role="rowgroup"
        keep={focused}
        keyOf={(index) => entries[index]?.path ?? ''}
        renderRow={(index) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <EntryRow
              workspaceId={props.workspaceId}
              listing={listing}
              members={props.members}
              ordered={props.ordered}
              entry={entry}
              index={index}
              reachable={index === focused}
              selected={selection.selected.has(entry.path)}
              menuOpen={props.menuOf === entry.path}
              latest={latest}
            />
          );
        }}
      />
    </div>
  );
}

function rowElement(grid: HTMLElement, path: string | null): HTMLElement | null {
  return path === null
    ? null
    : grid.querySelector<HTMLElement>(`[role="row"][data-path="${CSS.escape(path)}"]`);
}

function ColumnHeader({
  label,
  of,
  sort,
  onSort,
}: {
  readonly label: string;
  readonly of: Sort;
  readonly sort: Sort;
  onSort(sort: Sort): void;
}) {
  const by = sort === of;
  return (
    <span
      role="columnheader"
      className={`entry-${of}`}
      tabIndex={-1}
      aria-sort={by ? (of === 'name' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className="entry-sort" onClick={() => onSort(of)}>
        {label}
        {by ? <Icon name={of === 'name' ? 'arrow-up' : 'arrow-down'} size={12} /> : null}
      </button>
    </span>
  );
}

type RowActions = Pick<EntryGridProps, 'rows' | 'selection' | 'onSelect' | 'onMenu' | 'onOpen'>;

interface EntryRowProps extends Pick<EntryGridProps, 'workspaceId' | 'listing' | 'members' | 'ordered'> {
  readonly entry: Entry;
  readonly index: number;
  /** The one row in the tab order. */
  readonly reachable: boolean;
  readonly selected: boolean;
  readonly menuOpen: boolean;
  readonly latest: RefObject<RowActions>;
}

/** Memoised: scrolling renders only the rows that come into view. */
const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { workspaceId, listing, entry, index, reachable, selected, members, latest } = props;
  const { path } = entry;
  const name = visibleName(entry.name);
  const states = statesOf(listing, entry);
  const change = lastChangeOf(listing, entry);
  const who = change === null ? null : whoOf(change.who, members);
  const size = sizeOf(listing, entry);
  const tabIndex = reachable ? 0 : -1;
  const menu = useContextMenu((at) => latest.current.onMenu(path, at));

  return (
    <div
      className="entry-row"
      role="row"
      data-path={path}
      aria-label={name}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-description={states.length === 0 ? undefined : states.join(', ')}
      tabIndex={tabIndex}
      draggable
      {...(entry.kind === 'folder' ? { 'data-drop-folder': path } : {})}
      {...(props.ordered ? { 'data-drop-row': path } : {})}
      onDragStart={(event) => startDrag(event, selected ? [...latest.current.selection.selected] : [path])}
      onDragEnd={endDrag}
      onFocus={() => {
        const { selection, onSelect } = latest.current;
        if (selection.focus !== path) onSelect((before) => ({ ...before, focus: path }));
      }}
      onClick={(event) => {
        if (isControl(event.target)) return;
        event.currentTarget.focus({ preventScroll: true });
        const { rows, onSelect } = latest.current;
        onSelect((before) =>
          event.shiftKey
            ? extendTo(before, rows, path)
            : event.ctrlKey || event.metaKey || isNextToBox(event.target)
              ? toggle(before, path)
              : selectOnly(path),
        );
      }}
      onDoubleClick={(event) => {
        if (!isControl(event.target)) latest.current.onOpen(path);
      }}
      {...menu}
    >
      <span role="gridcell" className="entry-check" tabIndex={-1}>
        <input
          type="checkbox"
          tabIndex={tabIndex}
          aria-label={texts.select(name)}
          checked={selected}
          onChange={() => latest.current.onSelect((before) => toggle(before, path))}
        />
      </span>
      <span role="gridcell" className="entry-name" tabIndex={-1}>
        <span className="entry-icon">
          <GivenIcon
            icon={ownValue(listing.icons, path)}
            plain={entry.kind === 'folder' ? 'folder' : fileIcon(entry.name)}
          />
        </span>
        <AppLink
          to={entry.kind === 'folder' ? folderAddress(workspaceId, path) : fileAddress(workspaceId, path)}
          tabIndex={tabIndex}
          draggable={false}
          dir="auto"
        >
          {name}
        </AppLink>
        <span className="entry-states" aria-hidden="true">
          {listing.privateAt(path) === null ? null : <Icon name="private" size={14} />}
          {originalOf(entry) === null ? null : <Icon name="conflict" size={14} />}
          {isForAgents(entry) ? <span className="entry-mark">{texts.forAgents}</span> : null}
        </span>
      </span>
      <span role="gridcell" className="entry-changed" tabIndex={-1}>
        {change === null || who === null ? null : (
          <>
            {who.kind === 'agent' ? <Icon name="agent" size={14} /> : null}
            <span className="entry-who" dir="auto">
              {who.kind === 'unknown' ? '' : who.name}
            </span>
            <Time at={change.at} />
          </>
        )}
      </span>
      <span role="gridcell" className="entry-size" tabIndex={-1}>
        {sizeText(size)}
      </span>
      <span role="gridcell" className="entry-more" tabIndex={-1}>
        <button
          type="button"
          className="entry-menu-button"
          tabIndex={tabIndex}
          aria-label={texts.actionsFor(name)}
          aria-haspopup="menu"
          aria-expanded={props.menuOpen}
          title={texts.actionsFor(name)}
          onClick={() => latest.current.onMenu(path, null)}
        >
          <Icon name="more" />
        </button>
      </span>
    </div>
  );
});

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input') !== null;
}

/** The whole cell counts as the checkbox, because fingers miss the box. */
function isNextToBox(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.entry-check') !== null;
}
