import { isWithin } from '@stoa/core';
import { folderOf, type Listing } from '../api/listing-index.ts';
import { checkNewName, checkPath } from './check-name.ts';
import { movesInto } from './work-plan.ts';

/** A folder that items can be moved to. */
export interface MoveTarget {
  /** Empty for the top folder. */
  readonly path: string;
  readonly isNew: boolean;
  /** Whether all items are in it already. */
  readonly isHere: boolean;
}

/** Folders shown at once; typing finds more. */
export const moveTargetsMax = 200;

/**
 * Returns target folders for the items, the best match of the typed text first. The last target is the folder that the
 * typed path would create. The moved folders are excluded.
 * @param top name of the top folder
 */
export function moveTargets(
  listing: Pick<Listing, 'folders' | 'entryAt'>,
  paths: readonly string[],
  typed: string,
  top: string,
): readonly MoveTarget[] {
  const wanted = typed.trim().toLocaleLowerCase();
  const mayGo = (folder: string) => !paths.some((path) => isWithin(folder, path) && folder !== '');
  const target = (path: string): MoveTarget => ({
    path,
    isNew: false,
    isHere: paths.every((moved) => folderOf(moved) === path),
  });
  const folders = [...listing.folders.keys()]
    .filter((folder) => mayGo(folder) && folder.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => nearness(a, wanted) - nearness(b, wanted) || (a < b ? -1 : 1))
    .slice(0, moveTargetsMax)
    .map(target);
  const first = top.toLocaleLowerCase().includes(wanted) ? [target('')] : [];
  return [...first, ...folders, ...newTarget(listing, typed, mayGo)];
}

function newTarget(
  listing: Pick<Listing, 'entryAt'>,
  typed: string,
  mayGo: (folder: string) => boolean,
): readonly MoveTarget[] {
  if (typed.trim() === '') return [];
  const check = checkNewName(typed, '', listing);
  return check.kind === 'free' && mayGo(check.path) ? [{ path: check.path, isNew: true, isHere: false }] : [];
}

/** Ranks matches in the folder's own name before matches in its parents. */
function nearness(folder: string, wanted: string): number {
  if (wanted === '') return 0;
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLocaleLowerCase();
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
}

/** The initially chosen target: the first folder to which something would move. */
export function firstTarget(targets: readonly MoveTarget[]): number {
  return Math.max(
    0,
    targets.findIndex(({ isHere }) => !isHere),
  );
}

/** The name that is already taken in the target, or null. */
export function takenAt(
  listing: Pick<Listing, 'entryAt'>,
  paths: readonly string[],
  folder: string,
): string | null {
  for (const { from, to } of movesInto(paths, folder)) {
    if (from === to) continue;
    const check = checkPath(to as Parameters<typeof checkPath>[0], listing);
    if (check.kind === 'taken') return check.name;
  }
  return null;
}
