import { isWithin } from '@stoa/core';
import { folderOf, type ListData, nameOf } from '../api/listing-index.ts';
import { filesWithin, joinPath } from './folder-contents.ts';

type Files = Pick<ListData, 'files'>;

/** A change of one file. */
export type FileStep =
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  /** `version` null: the current version, whichever it is. */
  | {
      readonly kind: 'delete';
      readonly path: string;
      readonly version: number | null;
      /** Hash of that version: version numbers can restart, hashes cannot. */
      readonly contentHash?: string;
    }
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly version: number;
      /** Hash at the time of the delete: a file created at the path since has the same version numbers. */
      readonly contentHash?: string;
    };

/**
 * A folder consists of its files, so changing a folder changes each of them. `keeps` come first, so no folder
 * disappears with its last file. `folders` follow after all of their files.
 */
export interface WorkPlan {
  /** Folders that get a placeholder. */
  readonly keeps: readonly string[];
  readonly files: readonly FileStep[];
  /** Properties of the folders themselves, which move after their files. */
  readonly folders: readonly { readonly from: string; readonly to: string }[];
}

/** Items, each with its new path. */
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

/** Drops selected paths inside a selected folder: they move with it. */
export function withoutInner(paths: readonly string[]): readonly string[] {
  const chosen = new Set(paths);
  return [...chosen].filter((path) => {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      if (chosen.has(folder)) return false;
    }
    return true;
  });
}

/** Folders that would end with the removed files unintentionally. The top folder never ends. */
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

/** The done and undone steps of a plan. */
export interface WorkResult {
  readonly plan: WorkPlan;
  readonly done: readonly FileStep[];
  /** Not tried, or failed. */
  readonly left: readonly FileStep[];
  readonly failures: readonly { readonly step: FileStep; readonly failure: StepFailure }[];
}

export type StepFailure =
  /** Another user changed the file since it was listed. */
  | { readonly kind: 'changed' }
  /** `noRoom`: the workspace is full. */
  | { readonly kind: 'refused'; readonly message: string; readonly noRoom?: boolean };

/** The plan for the remaining steps. */
export function restOf({ plan, left }: WorkResult): WorkPlan {
  return { keeps: plan.keeps, files: left, folders: plan.folders };
}

/** The plan that reverts the done steps. Properties of a folder moved last, and only with all of its files. */
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

/** Whether none of a folder's files was left. */
export function isWhole(folder: string, left: readonly FileStep[]): boolean {
  return !left.some((step) => step.kind === 'move' && isWithin(step.from, folder));
}
