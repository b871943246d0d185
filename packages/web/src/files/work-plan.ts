import { isWithin } from '@stoa/core';
import { folderOf, type ListData, nameOf } from '../api/listing-index.ts';
import { filesWithin, joinPath } from './folder-contents.ts';

type Files = Pick<ListData, 'files'>;

/** A change of one file. */
export type FileStep =
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  /** `version` null: whatever is there now. */
  | {
      readonly kind: 'delete';
      readonly path: string;
      readonly version: number | null;
      /** What that version held: numbers begin again, hashes do not. */
      readonly contentHash?: string;
    }
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly version: number;
      /** As of the delete: whatever was made at the path since has the same numbers. */
      readonly contentHash?: string;
    };

/**
 * A folder is only its files, so that changing one is a change for each of them: `keeps` before all others, so that no
 * folder disappears with its last file, and `folders` after every file of theirs.
 */
export interface WorkPlan {
  /** Folders that get a placeholder. */
  readonly keeps: readonly string[];
  readonly files: readonly FileStep[];
  /** What belongs to the folders themselves, and follows once their files are there. */
  readonly folders: readonly { readonly from: string; readonly to: string }[];
}

/** One item, or several, each to its new path. */
export type Moves = readonly { readonly from: string; readonly to: string }[];

export function movesInto(paths: readonly string[], folder: string): Moves {
  return paths.map((from) => ({ from, to: joinPath(folder, nameOf(from)) }));
}

export function planMove(moves: Moves, listing: Files): WorkPlan {
  const going = withoutInner(moves.map(({ from }) => from));
  const outer = moves.filter(({ from }) => going.includes(from));
  const files = outer.flatMap(({ from, to }) =>
    filesWithin(listing, from).map(({ path }) => ({
      kind: 'move' as const,
      from: path,
      to: to + path.slice(from.length),
    })),
  );
  return {
    keeps: emptiedFolders(
      going,
      listing,
      outer.map(({ to }) => to),
    ),
    files,
    folders: outer.filter(({ from }) => !listing.files.has(from)),
  };
}

export function planDelete(paths: readonly string[], listing: Files): WorkPlan {
  const going = withoutInner(paths);
  const files = going.flatMap((path) =>
    filesWithin(listing, path).map((entry) => ({
      kind: 'delete' as const,
      path: entry.path,
      version: entry.version,
      ...(entry.contentHash === undefined ? {} : { contentHash: entry.contentHash }),
    })),
  );
  return { keeps: emptiedFolders(going, listing, []), files, folders: [] };
}

/** A selected folder takes what is selected below it along. */
export function withoutInner(paths: readonly string[]): readonly string[] {
  const chosen = new Set(paths);
  return [...chosen].filter((path) => {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      if (chosen.has(folder)) return false;
    }
    return true;
  });
}

/** Folders that would end with the files that go, and are not meant to. The top folder never ends. */
function emptiedFolders(
  going: readonly string[],
  listing: Files,
  arriving: readonly string[],
): readonly string[] {
  const homes = new Set(going.map(folderOf));
  homes.delete('');
  const leaves = ({ path }: { readonly path: string }) => going.some((gone) => isWithin(path, gone));
  return [...homes].filter(
    (home) => !arriving.some((to) => isWithin(to, home)) && filesWithin(listing, home).every(leaves),
  );
}

/** What was done of a plan, and what was not. */
export interface WorkResult {
  readonly plan: WorkPlan;
  readonly done: readonly FileStep[];
  /** Not tried, or failed. */
  readonly left: readonly FileStep[];
  readonly failures: readonly { readonly step: FileStep; readonly failure: StepFailure }[];
}

export type StepFailure =
  /** Somebody changed the file since it was listed. */
  | { readonly kind: 'changed' }
  /** `noRoom`: the workspace is full. */
  | { readonly kind: 'refused'; readonly message: string; readonly noRoom?: boolean };

/** The rest of a plan, once more. */
export function restOf({ plan, left }: WorkResult): WorkPlan {
  return { keeps: plan.keeps, files: left, folders: plan.folders };
}

/** The way back of what was done. A folder's own belongings went last, and only with all of its files. */
export function undoOf({ plan, done, left }: WorkResult): WorkPlan {
  const folders = plan.folders
    .filter((folder) => isWhole(folder.from, left))
    .map(({ from, to }) => ({ from: to, to: from }));
  return { keeps: [], files: done.toReversed().flatMap(stepBack), folders };
}

function stepBack(step: FileStep): readonly FileStep[] {
  switch (step.kind) {
    case 'move':
      return [{ kind: 'move', from: step.to, to: step.from }];
    case 'delete':
      return step.version === null ? [] : [{ ...step, kind: 'restore', version: step.version }];
    case 'restore':
      return [];
  }
}

/** True when none of a folder's files is left behind. */
export function isWhole(folder: string, left: readonly FileStep[]): boolean {
  return !left.some((step) => step.kind === 'move' && isWithin(step.from, folder));
}
