// docs/sync.md
import type { NameTraits } from '../names/name-traits.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import { isWithin } from '../workspace-path.ts';
import type { CopyNames } from './copy-names.ts';
import { type DraftOperation, presumed, type Verdict } from './decide-path.ts';
import {
  areApartHere,
  type FoundFolderMove,
  type FoundMove,
  type FoundMoves,
  type LocalMoves,
} from './find-moves.ts';
import type { KnownRemote, PathCell } from './path-cell.ts';
import type { PlanDraft } from './plan-draft.ts';

const wait: Verdict = { kind: 'wait' };

export interface MoveContext {
  readonly cells: ReadonlyMap<WorkspacePath, PathCell>;
  /** Whether no operation on the path is possible now. */
  isStuck(path: WorkspacePath): boolean;
  /** Whether another member's private item is here, which must go before a file can come. */
  isBarred(path: WorkspacePath): boolean;
  /** Whether the disk can store a file of this name. */
  canBeNamed(path: WorkspacePath): boolean;
  readonly traits: NameTraits;
  readonly copyNames: CopyNames;
}

/** Decides the paths of moves by rows 9 and 13 to 19. A path that has no verdict after this is decided without moves. */
export function decideMoves(
  draft: PlanDraft,
  local: LocalMoves,
  remote: FoundMoves,
  context: MoveContext,
): void {
  for (const chain of local.chains) decideChain(draft, chain, remote, context);
  for (const [from, to] of remote) decideRemoteMove(draft, { from, to }, context);
  const files = local.chains.flat();
  for (const folder of local.folders) {
    draft.folderMoves.set(folder.from, { to: folder.to, operation: decideFolderMove(draft, folder, files) });
  }
}

function decideChain(
  draft: PlanDraft,
  chain: readonly FoundMove[],
  remote: FoundMoves,
  context: MoveContext,
): void {
  const [last] = chain;
  const first = chain.at(-1);
  if (last === undefined || first === undefined) return;
  if (chain.some(({ from, to }) => context.isStuck(from) || context.isStuck(to))) {
    // A concurrent write of another member is downloaded to the old path, and each path of a chain gets its new file.
    // Otherwise both would wait for a state that this client never sees.
    const isFree = !chain.some(({ from }) => context.isStuck(from));
    const isLeft = chain.length > 1 || remoteKind(context, last.from) === 'other';
    if (isFree && isLeft && context.isBarred(last.to)) return;
    for (const { from, to } of chain) {
      draft.take(from, wait);
      if (!context.isStuck(to)) draft.take(to, wait);
    }
    return;
  }
  if (first === last) {
    decideLocalMove(draft, first, remote, context);
    return;
  }
  // In a chain, each path becomes free on the server when its former file has moved.
  const sources = chain.map(({ from }) => knownRemote(context.cells.get(from)));
  if (sources.some((each) => each === null) || remoteKind(context, last.to) !== 'absent') return;
  let previous: DraftOperation | null = null;
  for (const [at, move] of chain.entries()) {
    const source = sources[at] ?? null;
    const target = context.cells.get(move.to)?.local;
    if (source === null || target === undefined || !('file' in target)) return;
    const operation: DraftOperation = {
      kind: 'move_there',
      row: 9,
      path: move.to,
      from: move.from,
      remote: { kind: 'file', version: source.version, hash: source.hash },
      local: target.file,
    };
    draft.verdicts.set(move.from, { kind: 'do', operations: [operation] });
    draft.verdicts.set(move.to, { kind: 'do', operations: [operation] });
    draft.add(operation, previous === null ? [] : [previous]);
    previous = operation;
  }
}

function decideLocalMove(
  draft: PlanDraft,
  { from, to }: FoundMove,
  remoteMoves: FoundMoves,
  context: MoveContext,
): void {
  const source = context.cells.get(from);
  const target = context.cells.get(to);
  if (source?.base == null) return;
  switch (source.remote.kind) {
    case 'unknown_hash':
      draft.take(from, { kind: 'ask', question: { kind: 'hash', path: from } });
      draft.take(to, wait);
      return;
    case 'hidden':
      takeAwayPrivate(draft, source, target);
      return;
    case 'absent':
      joinBothMoves(draft, { from, to }, remoteMoves, context);
      return;
    case 'same':
    case 'other':
      moveThere(draft, source, source.remote.file, { to, cell: target ?? null }, context);
      return;
  }
}

/** Rows 9 and 13 for a move. A concurrent change on the server moves as well and is downloaded at the new path. */
function moveThere(
  draft: PlanDraft,
  source: PathCell,
  { version, hash }: KnownRemote,
  { to, cell }: { readonly to: WorkspacePath; readonly cell: PathCell | null },
  { copyNames }: MoveContext,
): void {
  const row = source.remote.kind === 'same' ? 9 : 13;
  const file = cell !== null && 'file' in cell.local ? cell.local.file : null;
  const there = cell?.remote ?? { kind: 'absent' };
  switch (there.kind) {
    case 'absent': {
      const remote = { kind: 'file', version, hash } as const;
      decideBoth(draft, source.path, to, {
        kind: 'move_there',
        row,
        path: to,
        from: source.path,
        remote,
        local: file,
      });
      return;
    }
    case 'unknown_hash':
      draft.take(to, { kind: 'ask', question: { kind: 'hash', path: to } });
      draft.take(source.path, wait);
      return;
    case 'hidden':
      draft.take(to, { kind: 'left_out', reason: 'hidden_by_private', detail: null });
      draft.take(source.path, wait);
      return;
    case 'same':
    case 'other': {
      // Another client created the same file: no move is needed, and the table decides the rest.
      if (file === null || there.file.hash === file.hash) return;
      draft.take(to, quarantine(row, to, presumed(file), copyNames));
      draft.take(source.path, wait);
    }
  }
}

/** Renames the local item to a conflicted-copy name that is free on both sides. */
export function quarantine(
  row: number,
  from: WorkspacePath,
  local: Extract<DraftOperation, { kind: 'set_aside' }>['local'],
  copyNames: CopyNames,
): Verdict {
  const path = copyNames.take(from);
  if (path === null) return { kind: 'wait' };
  return { kind: 'do', operations: [{ kind: 'set_aside', row, path, from, local }] };
}

/** Rows 17 to 19 for a file that was moved before this client knew it was private: it is not sent under a new name. */
function takeAwayPrivate(draft: PlanDraft, source: PathCell, target: PathCell | undefined): void {
  if (target === undefined || !('file' in target.local)) return;
  const { file } = target.local;
  const isUnchanged = file.hash === source.base?.hash;
  const take: DraftOperation = {
    kind: isUnchanged ? 'unlink_here' : 'rescue',
    row: isUnchanged ? 17 : 18,
    path: target.path,
    local: presumed(file),
  };
  const forget: DraftOperation = { kind: 'forget', row: 19, path: source.path };
  draft.take(target.path, { kind: 'do', operations: [take] });
  draft.take(source.path, { kind: 'do', operations: [forget] });
  draft.need(forget, take);
}

/** Row 15: both sides moved the file. The server's name wins. */
function joinBothMoves(
  draft: PlanDraft,
  { from, to }: FoundMove,
  remoteMoves: FoundMoves,
  { cells, canBeNamed, isStuck, traits }: MoveContext,
): void {
  const name = remoteMoves.get(from);
  if (name === undefined) return;
  if (name === to) {
    decideBoth(draft, from, to, { kind: 'carry_base', row: 15, path: to, from });
    return;
  }
  const target = cells.get(to);
  const isLocation = areApartHere(to, name, traits) && canBeNamed(name);
  const isFree = isLocation && !isStuck(name) && isAbsentHere(cells.get(name));
  if (!isFree || target?.remote.kind !== 'absent' || !('file' in target.local)) return;
  const local = presumed(target.local.file);
  const operation: DraftOperation = {
    kind: 'rename_here',
    row: 15,
    path: name,
    from: to,
    baseFrom: from,
    local,
  };
  decideBoth(draft, from, to, operation);
  draft.verdicts.set(name, { kind: 'do', operations: [operation] });
}

/** Rows 14 and 16 for a move. */
function decideRemoteMove(draft: PlanDraft, { from, to }: FoundMove, context: MoveContext): void {
  if (draft.verdicts.has(from) || draft.verdicts.has(to)) return;
  const source = context.cells.get(from);
  const target = context.cells.get(to);
  if (source === undefined || target === undefined) return;
  if (source.local.kind === 'unknown' && source.local.reason === 'unsettled') {
    draft.take(from, wait);
    draft.take(to, wait);
    return;
  }
  if (context.isStuck(from) || context.isStuck(to) || !context.canBeNamed(to)) return;
  if (!('file' in source.local) || source.local.file.isUntrusted || !isAbsentHere(target)) return;
  const row = source.local.kind === 'same' ? 14 : 16;
  const local = presumed(source.local.file);
  decideBoth(draft, from, to, { kind: 'rename_here', row, path: to, from, baseFrom: from, local });
}

/**
 * Moves the folder's own properties after all of its files. Null while a file waits. Deletes in the folder then wait as
 * well: the folder must exist until its properties are transferred.
 */
function decideFolderMove(
  draft: PlanDraft,
  { from, to, object }: FoundFolderMove,
  moves: readonly FoundMove[],
): DraftOperation | null {
  const files: DraftOperation[] = [];
  for (const move of moves) {
    if (!isWithin(move.from, from) || !isWithin(move.to, to)) continue;
    const verdict = draft.verdicts.get(move.from);
    if (verdict?.kind === 'wait' || verdict?.kind === 'ask') return null;
    if (verdict?.kind === 'do') files.push(...verdict.operations.filter((each) => draft.has(each)));
  }
  const operation: DraftOperation = { kind: 'move_folder_there', row: 9, path: to, from, object };
  draft.add(operation, files);
  return operation;
}

function decideBoth(
  draft: PlanDraft,
  from: WorkspacePath,
  to: WorkspacePath,
  operation: DraftOperation,
): void {
  draft.take(from, { kind: 'do', operations: [operation] });
  draft.verdicts.set(to, { kind: 'do', operations: [operation] });
}

function knownRemote(cell: PathCell | undefined): KnownRemote | null {
  return cell?.remote.kind === 'same' || cell?.remote.kind === 'other' ? cell.remote.file : null;
}

function remoteKind({ cells }: MoveContext, path: WorkspacePath): PathCell['remote']['kind'] {
  return cells.get(path)?.remote.kind ?? 'absent';
}

function isAbsentHere(cell: PathCell | undefined): boolean {
  return cell !== undefined && cell.local.kind === 'absent' && !cell.local.isFolder;
}
