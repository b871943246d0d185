import { isWithin } from '@stoa/core';
import { folderOf, type Listing } from '../api/listing-index.ts';
import { checkNewName, checkPath } from './check-name.ts';
import { movesInto } from './work-plan.ts';

/** A folder that items could be moved to. */
export interface MoveTarget {
  /** Empty at the top. */
  readonly path: string;
  readonly isNew: boolean;
  /** All that is moved lies there already. */
  readonly isHere: boolean;
}

/** Folders shown at once; more are found by typing. */
export const moveTargetsMax = 200;

/**
 * The folders that items may go to, the nearest by what was typed first, and last the one that the typed path would make.
 * What is moved is not among them.
 *
 * @param top what the top folder is called
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

/** The folder's own name before the folders above it. */
function nearness(folder: string, wanted: string): number {
  if (wanted === '') return 0;
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLocaleLowerCase();
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
}

/** Where the choice stands at first: on a folder that something is moved to. */
export function firstTarget(targets: readonly MoveTarget[]): number {
  return Math.max(
    0,
    targets.findIndex(({ isHere }) => !isHere),
  );
}

/** The name that stands in the way at the target, or null. */
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
