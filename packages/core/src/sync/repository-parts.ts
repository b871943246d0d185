// docs/sync.md
import { repositoryLocationsOf } from '../names/repository-names.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

/** Parts of git repositories that sync never creates: git runs commands from the `config` next to them. */
export interface RepositoryParts {
  /** Skipped in both directions: each `HEAD` next to `objects`, `refs` or `commondir`, and these where a local `HEAD` is. */
  readonly skipped: ReadonlySet<WorkspacePath>;
  /** Each such `HEAD` that is local and in the base. It goes to the trash; its siblings come afterwards. */
  readonly syncedHeads: readonly WorkspacePath[];
}

/**
 * Examines the union of both sides, so no order of arrival can create a repository. One part next to a `HEAD` is enough:
 * the user may create the other.
 */
export function findRepositoryParts(trees: SyncTrees): RepositoryParts {
  const { base, local, remote } = trees;
  const heads = new Map<WorkspacePath, string>();
  const foldersWithHead = new Set<string>();
  const foldersWithParts = new Set<string>();
  const isHere = (path: WorkspacePath): boolean => {
    const state = local.get(path);
    return state === undefined ? base.get(path)?.stamp != null : state.kind !== 'absent';
  };
  const note = (path: WorkspacePath, what: { readonly isFile: boolean; readonly isHere: boolean }): void => {
    const locations = repositoryLocationsOf(path);
    if (locations === null) return;
    for (const folder of locations.nextToHead) foldersWithParts.add(folder);
    if (locations.head === null || !what.isFile) return;
    heads.set(path, locations.head);
    if (what.isHere) foldersWithHead.add(locations.head);
  };
  for (const path of base.keys()) note(path, { isFile: true, isHere: isHere(path) });
  for (const [path, state] of local) {
    if (state.kind === 'absent') continue;
    note(path, { isFile: !(state.kind === 'blocked' && state.by === 'folder'), isHere: true });
  }
  for (const [path, { kind }] of remote) if (kind === 'file') note(path, { isFile: true, isHere: false });
  for (const [path, kind] of trees.ignored) note(path, { isFile: kind === 'file', isHere: true });
  const none = { skipped: new Set<WorkspacePath>(), syncedHeads: [] };
  if (heads.size === 0) return none;
  for (const folder of trees.baseFolders.keys()) note(folder, { isFile: false, isHere: true });
  for (const [folder, { kind }] of trees.localFolders) {
    if (kind !== 'absent') note(folder, { isFile: false, isHere: true });
  }
  // The scan does not descend into a local repository.
  const isInRepository = (path: WorkspacePath): boolean => {
    const state = local.get(path);
    return state?.kind === 'unknown' && state.reason === 'repository';
  };
  const skipped = new Set<WorkspacePath>();
  const syncedHeads: WorkspacePath[] = [];
  for (const [path, folder] of heads) {
    if (!foldersWithParts.has(folder) && !isInRepository(path)) continue;
    skipped.add(path);
    if (base.get(path)?.stamp != null && isHere(path)) syncedHeads.push(path);
  }
  for (const [path, { kind }] of remote) {
    if (kind !== 'file' || isHere(path)) continue;
    const locations = repositoryLocationsOf(path)?.nextToHead ?? [];
    if (locations.some((folder) => foldersWithHead.has(folder))) skipped.add(path);
  }
  return skipped.size === 0 ? none : { skipped, syncedHeads };
}

/** Returns facts with which the planner skips these paths. */
export function withoutRepositories(trees: SyncTrees, facts: SyncFacts): SyncFacts {
  const { skipped } = findRepositoryParts(trees);
  if (skipped.size === 0) return facts;
  const added = [...skipped].map((path) => [path, { reason: 'repository', detail: null }] as const);
  return { ...facts, waiting: new Map([...facts.waiting, ...added]) };
}
