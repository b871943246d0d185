import { diskKey, localNameProblem } from '../names/local-name.ts';
import { compareByCodePoint, foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import { IgnoredInTheWay } from './ignored-in-the-way.ts';
import { isLocalFolder, type PathCell } from './path-cell.ts';
import type { SkipReason } from './skip-reasons.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

/** Whether the server's file is missing locally: it is new there, or was changed there and deleted locally. */
export function isComing({ base, local, remote }: PathCell): boolean {
  if (!('file' in remote) || 'file' in local) return false;
  return base === null || (local.kind === 'absent' && remote.kind !== 'same');
}

/** Chooses one of several names that this disk treats as one: the base's, else the local one, else the first. */
export class Spellings {
  readonly #facts: SyncFacts;
  readonly #ignored: IgnoredInTheWay;
  readonly #chosen: ReadonlyMap<string, string> | null;

  constructor(cells: ReadonlyMap<WorkspacePath, PathCell>, trees: SyncTrees, facts: SyncFacts) {
    this.#facts = facts;
    this.#ignored = new IgnoredInTheWay(trees, facts);
    const needsThem = facts.traits.foldsCase && [...cells.values()].some(isComing);
    this.#chosen = needsThem ? chosenSpellings(cells, trees, facts) : null;
  }

  /** Returns why the disk cannot store a path of the server, or null if it can. */
  problem(path: WorkspacePath): { readonly reason: SkipReason; readonly detail: string } | null {
    const problem = localNameProblem(path, this.#facts.traits);
    if (problem !== null || this.#facts.isIgnored(path)) return problem;
    const inTheWay = this.#ignored.of(path);
    if (inTheWay !== null || this.#chosen === null) return inTheWay;
    for (const name of [...foldersAbove(path), path]) {
      const chosen = this.#chosen.get(diskKey(name, this.#facts.traits));
      if (chosen !== undefined && chosen !== name) return { reason: 'case_collision', detail: chosen };
    }
    return null;
  }

  /** Returns the ignored item that the disk finds under the name of a synced file: the file is not missing then. */
  respelled({ path, base, local, remote }: PathCell): ReturnType<Spellings['problem']> {
    if (base === null || local.kind !== 'absent' || remote.kind !== 'same') return null;
    const existing = this.#ignored.of(path);
    return existing?.reason === 'case_collision' ? existing : null;
  }
}

function chosenSpellings(
  cells: ReadonlyMap<WorkspacePath, PathCell>,
  trees: SyncTrees,
  facts: SyncFacts,
): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const choose = (name: WorkspacePath): string => {
    const key = diskKey(name, facts.traits);
    const earlier = chosen.get(key);
    if (earlier === undefined) chosen.set(key, name);
    return earlier ?? name;
  };
  const chooseAll = (path: WorkspacePath): void => {
    for (const name of [...foldersAbove(path), path]) choose(name);
  };
  // Sorted, because a base may have a folder under several such names.
  for (const path of [...trees.base.keys()].sort(compareByCodePoint))
    if (!isGoing(cells.get(path))) chooseAll(path);
  for (const [path, { base, local }] of cells) if (base === null && 'file' in local) chooseAll(path);
  // A folder that exists only locally is in the way under its own name.
  for (const [folder, { kind }] of trees.localFolders)
    if (kind === 'folder' && !trees.baseFolders.has(folder)) chooseAll(folder);
  const fromThere = [...cells].flatMap(([path, { local, remote }]) =>
    'file' in remote && local.kind !== 'ignored' ? [path] : [],
  );
  // So is a local folder for which the server has files.
  for (const folder of fromThere.flatMap(foldersAbove)) if (isLocalFolder(folder, trees)) choose(folder);
  for (const path of fromThere) {
    // Files of a folder that was not chosen are not downloaded and occupy no name.
    for (const name of [...foldersAbove(path), path]) if (choose(name) !== name) break;
  }
  return chosen;
}

/** Whether the file is deleted on the server, or deleted locally and unchanged on the server. */
function isGoing(cell: PathCell | undefined): boolean {
  if (cell === undefined || cell.local.kind === 'ignored') return false;
  if (!('file' in cell.remote)) return true;
  return cell.remote.kind === 'same' && cell.local.kind === 'absent' && cell.base?.stamp != null;
}
