import type { Listing } from '../api/listing-index.ts';

/** A line of the tree; the content of collapsed folders has none. */
export interface TreeRow {
  readonly kind: 'file' | 'folder';
  readonly path: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly setSize: number;
  /** From 1. */
  readonly position: number;
  readonly expanded: boolean;
}

export function treeRows(
  listing: Pick<Listing, 'childrenOf'>,
  expanded: ReadonlySet<string>,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  function add(folder: string, level: number): void {
    const children = listing.childrenOf(folder);
    children.forEach(({ kind, path, name }, i) => {
      const isOpen = kind === 'folder' && expanded.has(path);
      rows.push({ kind, path, name, level, setSize: children.length, position: i + 1, expanded: isOpen });
      if (isOpen) add(path, level + 1);
    });
  }
  add('', 1);
  return rows;
}

/** Effect of a key in the tree: moves the focus, or expands or collapses a folder. */
export type TreeMove =
  | { readonly kind: 'focus'; readonly path: string }
  | { readonly kind: 'expand' | 'collapse'; readonly path: string };

export function treeMove(rows: readonly TreeRow[], focus: string | null, key: string): TreeMove | null {
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === focus),
  );
  const row = rows[at];
  if (row === undefined) return null;
  const to = (index: number): TreeMove | null => {
    const target = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    return target === undefined ? null : { kind: 'focus', path: target.path };
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.kind === 'file') return null;
      if (!row.expanded) return { kind: 'expand', path: row.path };
      return (rows[at + 1]?.level ?? 0) > row.level ? to(at + 1) : null;
    case 'ArrowLeft': {
      if (row.expanded) return { kind: 'collapse', path: row.path };
      const above = rows.slice(0, at).findLastIndex(({ level }) => level < row.level);
      return above === -1 ? null : to(above);
    }
    default:
      return null;
  }
}
