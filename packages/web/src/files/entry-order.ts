import { nodeOrderMaxPaths } from '@stoa/core';
import {
  behindOriginals,
  compareEntryNames,
  type Entry,
  type Listing,
  originalOf,
} from '../api/listing-index.ts';
import { changedAtOf, totalsOf } from './folder-contents.ts';

export const sortChoices = ['name', 'size', 'changed', 'custom'] as const;
export type Sort = (typeof sortChoices)[number];

export function isSort(text: string | undefined): text is Sort {
  return sortChoices.some((choice) => choice === text);
}

/** The sort order of a folder until the user chooses: the custom order if it has one. */
export function defaultSort({ orders }: Pick<Listing, 'orders'>, children: readonly Entry[]): Sort {
  return children.some(({ path }) => Object.hasOwn(orders, path)) ? 'custom' : 'name';
}

/** Entries of a folder, with each conflicted copy directly behind its original. */
export function sortedChildren(listing: Listing, folder: string, sort: Sort): readonly Entry[] {
  const children = listing.childrenOf(folder);
  const foldersFirst = (a: Entry, b: Entry) => (a.kind === b.kind ? 0 : a.kind === 'folder' ? -1 : 1);
  const by = (compare: (a: Entry, b: Entry) => number) =>
    behindOriginals(
      [...children].sort((a, b) => foldersFirst(a, b) || compare(a, b) || compareEntryNames(a.name, b.name)),
    );
  switch (sort) {
    case 'custom':
      return children;
    case 'name':
      return defaultSort(listing, children) === 'name' ? children : by(() => 0);
    case 'size':
      return by((a, b) => sizeOf(listing, b) - sizeOf(listing, a));
    case 'changed':
      return by((a, b) => lastChangeOf(listing, b) - lastChangeOf(listing, a));
  }
}

export function sizeOf(listing: Listing, entry: Entry): number {
  return entry.kind === 'file' ? entry.size : totalsOf(listing, entry.path).size;
}

function lastChangeOf(listing: Listing, entry: Entry): number {
  const file = entry.kind === 'file' ? entry : totalsOf(listing, entry.path).newest;
  return file === null ? 0 : changedAtOf(file);
}

export type OrderChange =
  /** `paths` is sent to the server. `place` is the item's new position, from 1 to `count`. */
  | {
      readonly kind: 'ordered';
      readonly paths: readonly string[];
      readonly position: number;
      readonly count: number;
    }
  | { readonly kind: 'already_there' }
  | { readonly kind: 'too_many' }
  /** A conflicted copy has no position of its own. */
  | { readonly kind: 'stands_behind_original' };

export type NewPosition = { readonly by: -1 | 1 } | { readonly before: string } | { readonly after: string };

/**
 * Moves `path` up or down by one, or before or after a sibling.
 * @param shown all siblings in their current order
 */
export function moveInOrder(shown: readonly Entry[], path: string, where: NewPosition): OrderChange {
  if (shown.length > nodeOrderMaxPaths) return { kind: 'too_many' };
  const here = new Set(shown.map((entry) => entry.path));
  const originalHere = (entry: Entry) => {
    const original = originalOf(entry);
    return original !== null && here.has(original) ? original : null;
  };
  const paths = shown.filter((entry) => originalHere(entry) === null).map((entry) => entry.path);
  const from = paths.indexOf(path);
  if (from === -1) return { kind: 'stands_behind_original' };
  const rest = paths.toSpliced(from, 1);
  const to = 'by' in where ? from + where.by : locationNextTo(where);
  if (to === null || to === from || to < 0 || to > rest.length) return { kind: 'already_there' };
  return { kind: 'ordered', paths: rest.toSpliced(to, 0, path), position: to + 1, count: paths.length };

  function locationNextTo(target: { readonly before: string } | { readonly after: string }): number | null {
    const alongside = 'before' in target ? target.before : target.after;
    const entry = shown.find((each) => each.path === alongside);
    if (entry === undefined) return null;
    const at = rest.indexOf(originalHere(entry) ?? alongside);
    if (at === -1) return null;
    return 'before' in target ? at : at + 1;
  }
}
