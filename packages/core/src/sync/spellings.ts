import { diskKey, localNameProblem } from '../names/local-name.ts';
import { compareByCodePoint, foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import { IgnoredInTheWay } from './ignored-in-the-way.ts';
import type { LeftOutReason } from './left-out-reasons.ts';
import { isLocalFolder, type PathCell } from './path-cell.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

/** Whether the server has a file for a path that has none here: one that is new there, or was changed there and deleted here. */
export function isComing({ base, local, remote }: PathCell): boolean {
  if (!('file' in remote) || 'file' in local) return false;
  return base === null || (local.kind === 'absent' && remote.kind !== 'same');
}

/** Which of several spellings that this disk takes for one name are here: those of the base, else what stands here, else the first. */
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

  /** Why a path of the server cannot be made here. */
  problem(path: WorkspacePath): { readonly reason: LeftOutReason; readonly detail: string } | null {
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

  /** What a file that both sides had became here, where the disk finds something ignored under its name: it is not missing. */
  respelled({ path, base, local, remote }: PathCell): ReturnType<Spellings['problem']> {
    if (base === null || local.kind !== 'absent' || remote.kind !== 'same') return null;
    const standing = this.#ignored.of(path);
    return standing?.reason === 'case_collision' ? standing : null;
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
  // In one order, whatever that of the tree is: a base may have several spellings of a folder.
  for (const path of [...trees.base.keys()].sort(compareByCodePoint))
    if (!isGoing(cells.get(path))) chooseAll(path);
  for (const [path, { base, local }] of cells) if (base === null && 'file' in local) chooseAll(path);
  // A folder that is here alone is in the way under its own name.
  for (const [folder, { kind }] of trees.localFolders)
    if (kind === 'folder' && !trees.baseFolders.has(folder)) chooseAll(folder);
  const fromThere = [...cells].flatMap(([path, { local, remote }]) =>
    'file' in remote && local.kind !== 'ignored' ? [path] : [],
  );
  // So is one that the server has something for.
  for (const folder of fromThere.flatMap(foldersAbove)) if (isLocalFolder(folder, trees)) choose(folder);
  for (const path of fromThere) {
    // What is in a folder that is not the one here does not come, and takes nothing's place.
    for (const name of [...foldersAbove(path), path]) if (choose(name) !== name) break;
  }
  return chosen;
}

/** Gone there, or gone here and not changed there: nothing of it stays on this disk. */
function isGoing(cell: PathCell | undefined): boolean {
  if (cell === undefined || cell.local.kind === 'ignored') return false;
  if (!('file' in cell.remote)) return true;
  return cell.remote.kind === 'same' && cell.local.kind === 'absent' && cell.base?.stamp != null;
}
