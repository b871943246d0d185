/** The selected rows of a list. Rows are paths; `focus` is the row with the keyboard focus. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly focus: string | null;
  /** Start of a range: the row that was last selected on its own. */
  readonly anchor: string | null;
}

export const noSelection: Selection = { selected: new Set(), focus: null, anchor: null };

/** A click outside the link selects only this row. */
export function selectOnly(path: string): Selection {
  return { selected: new Set([path]), focus: path, anchor: path };
}

/** Space, the checkbox, or a click with Ctrl. */
export function toggle({ selected }: Selection, path: string): Selection {
  const next = new Set(selected);
  if (!next.delete(path)) next.add(path);
  return { selected: next, focus: path, anchor: path };
}

/** Shift with an arrow or a click: selects exactly the rows from the anchor to here. */
export function extendTo(selection: Selection, rows: readonly string[], path: string): Selection {
  const anchor = selection.anchor ?? selection.focus ?? path;
  const from = rows.indexOf(anchor);
  const to = rows.indexOf(path);
  if (to === -1) return selection;
  if (from === -1) return selectOnly(path);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { selected: new Set(range), focus: path, anchor };
}

export function selectAll(selection: Selection, rows: readonly string[]): Selection {
  return { ...selection, selected: new Set(rows) };
}

/** Keeps the focus. */
export function clearSelection({ focus }: Selection): Selection {
  return { selected: new Set(), focus, anchor: focus };
}

export type Step = 'up' | 'down' | 'first' | 'last' | 'page-up' | 'page-down';

const pageRows = 10;

/** The row that a key moves to, or null if the list is empty. */
export function rowAt(rows: readonly string[], focus: string | null, step: Step): string | null {
  const at = focus === null ? -1 : rows.indexOf(focus);
  const last = rows.length - 1;
  const wanted = {
    up: at === -1 ? last : at - 1,
    down: at + 1,
    first: 0,
    last,
    'page-up': at - pageRows,
    'page-down': Math.max(at, 0) + pageRows,
  }[step];
  return rows[Math.min(Math.max(wanted, 0), last)] ?? null;
}

/** The next row after the focus whose name starts with the typed text. Repeating one letter cycles through its rows. */
export function typeAhead(
  rows: readonly { readonly path: string; readonly name: string }[],
  focus: string | null,
  typed: string,
): string | null {
  const wanted = typed.toLocaleLowerCase();
  const repeated = [...wanted].every((character) => character === wanted[0]);
  const start = rows.findIndex(({ path }) => path === focus);
  // More letters narrow the search from the current row; one letter, or a repeated one, moves to the next.
  const search = repeated ? wanted.slice(0, 1) : wanted;
  const first = repeated ? start + 1 : Math.max(start, 0);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[(first + i) % rows.length];
    if (row?.name.toLocaleLowerCase().startsWith(search) === true) return row.path;
  }
  return null;
}

/**
 * Removes deleted rows from the selection. The focus moves to the row that took their position.
 * @param before the rows when the focus was on one of them
 */
export function keepPresent(
  selection: Selection,
  before: readonly string[],
  after: readonly string[],
): Selection {
  if (before === after) return selection;
  const present = new Set(after);
  const selected = new Set([...selection.selected].filter((path) => present.has(path)));
  const { focus, anchor } = selection;
  const unchanged = selected.size === selection.selected.size && (focus === null || present.has(focus));
  if (unchanged) return selection;
  return {
    selected,
    focus: focus === null || present.has(focus) ? focus : neighbourOf(focus, before, present),
    anchor: anchor !== null && present.has(anchor) ? anchor : null,
  };
}

function neighbourOf(gone: string, before: readonly string[], present: ReadonlySet<string>): string | null {
  const at = before.indexOf(gone);
  if (at === -1) return null;
  const below = before.slice(at + 1).find((path) => present.has(path));
  return below ?? before.slice(0, at).findLast((path) => present.has(path)) ?? null;
}
