// docs/sync.md
import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { Question, SyncOperation, Wanted } from './operations.ts';
import type { KnownRemote, LocalCell, PathCell, RemoteCell } from './path-cell.ts';
import type { SkipReason } from './skip-reasons.ts';
import type { KnownVersion, SyncFacts } from './sync-facts.ts';
import type { BaseFile, LocalFile } from './trees.ts';

type WithoutOrder<Operation> = Operation extends unknown ? Omit<Operation, 'id' | 'after'> : never;
/** An operation without its order in the plan. */
export type DraftOperation = WithoutOrder<SyncOperation>;

export type Verdict =
  | { readonly kind: 'do'; readonly operations: readonly DraftOperation[] }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'left_out'; readonly reason: SkipReason; readonly detail: string | null }
  /** The path differs, but cannot be decided now. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'in_sync' };

const inSync: Verdict = { kind: 'in_sync' };
const wait: Verdict = { kind: 'wait' };

/** Decides a path without moves by rows 1 to 23 of the table in docs/sync.md. */
export function decidePath(cell: PathCell, facts: SyncFacts): Verdict {
  const { local } = cell;
  switch (local.kind) {
    case 'unknown':
      return row21(local);
    case 'blocked':
      return row22(cell, local);
    case 'ignored':
      return row23(cell);
    default:
      return cell.base === null
        ? decideUnknownToBase(cell, cell.remote, local, facts)
        : decideKnownToBase(cell.path, cell.base, cell.remote, local, facts);
  }
}

type PlainLocal = Extract<LocalCell, { kind: 'absent' | 'same' | 'other' }>;

function decideUnknownToBase(
  { path }: PathCell,
  remote: RemoteCell,
  local: PlainLocal,
  facts: SyncFacts,
): Verdict {
  const file = local.kind === 'absent' ? null : local.file;
  switch (remote.kind) {
    case 'absent':
      return file === null ? row6(path) : row1(path, file);
    case 'hidden':
      return file === null ? row6(path) : row20();
    case 'unknown_hash':
      return row5(path, remote, file);
    case 'same':
    case 'other':
      if (file === null) return row2(path, remote.file);
      return file.hash === remote.file.hash
        ? row3(path, remote.file, file)
        : row4(path, remote.file, file, facts);
  }
}

function decideKnownToBase(
  path: WorkspacePath,
  base: BaseFile,
  remote: RemoteCell,
  local: PlainLocal,
  facts: SyncFacts,
): Verdict {
  switch (remote.kind) {
    case 'unknown_hash':
      return { kind: 'ask', question: { kind: 'hash', path } };
    case 'hidden':
      if (local.kind === 'absent') return row19(path);
      return local.kind === 'same' ? row17(path, local.file) : row18(path, local.file);
    case 'absent':
      if (local.kind === 'absent') return row15(path);
      return local.kind === 'same' ? row14(path, local.file) : row16(path, local.file);
    case 'same':
      if (local.kind === 'absent') return row9(path, remote.file, facts);
      return local.kind === 'same'
        ? row7(path, base, remote.file, local.file)
        : row8(path, base, remote.file, local.file);
    case 'other':
      if (local.kind === 'absent') return row13(path, remote.file);
      if (local.kind === 'same') return row10(path, remote.file, local.file);
      return local.file.hash === remote.file.hash
        ? row11(path, remote.file, local.file)
        : row12(path, base, remote.file, local.file, facts);
  }
}

/** New locally. */
function row1(path: WorkspacePath, local: LocalFile): Verdict {
  return one({ kind: 'upload', row: 1, path, local, remote: { kind: 'absent' }, contentType: null });
}

/** New on the server. */
function row2(path: WorkspacePath, remote: KnownRemote): Verdict {
  return one({ kind: 'download', row: 2, path, wanted: wantedOf(remote), over: { kind: 'absent' } });
}

/** New on both sides, with the same content. */
function row3(path: WorkspacePath, remote: KnownRemote, local: LocalFile): Verdict {
  return one(adopt(3, path, remote, local));
}

/** New on both sides with different contents. A local copy of an old version is not the user's own text. */
function row4(path: WorkspacePath, remote: KnownRemote, local: LocalFile, facts: SyncFacts): Verdict {
  const versions = facts.versions.get(path);
  if (versions === undefined) return { kind: 'ask', question: { kind: 'versions', path } };
  const isOld = versions.some(({ hash }) => hash === local.hash);
  return isOld || local.isUntrusted
    ? one(replace(4, path, remote, local))
    : one({ kind: 'conflict', row: 4, path, local, remote, base: null });
}

/** New on the server, from a record or list without a hash. */
function row5(
  path: WorkspacePath,
  { file }: Extract<RemoteCell, { kind: 'unknown_hash' }>,
  local: LocalFile | null,
): Verdict {
  if (local !== null) return { kind: 'ask', question: { kind: 'hash', path } };
  return one({ kind: 'download', row: 5, path, wanted: wantedOf(file), over: { kind: 'absent' } });
}

/** Absent on both sides, with only recorded state left. */
function row6(path: WorkspacePath): Verdict {
  return one({ kind: 'forget', row: 6, path });
}

/** In sync, though the version number, type or stamp may differ. */
function row7(path: WorkspacePath, base: BaseFile, remote: KnownRemote, local: LocalFile): Verdict {
  const isRenewed =
    remote.version !== base.version ||
    (remote.contentType ?? base.contentType) !== base.contentType ||
    local.stamp !== base.stamp ||
    local.localName !== base.localName;
  return isRenewed ? one(adopt(7, path, remote, local)) : inSync;
}

/** Changed locally. */
function row8(path: WorkspacePath, base: BaseFile, remote: KnownRemote, local: LocalFile): Verdict {
  if (local.isUntrusted) return one(replace(8, path, remote, local));
  const { version, hash } = remote;
  const contentType = remote.contentType ?? base.contentType;
  return one({ kind: 'upload', row: 8, path, local, remote: { kind: 'file', version, hash }, contentType });
}

/** Deleted locally. Sent only after a complete scan of the same folder as before. */
function row9(path: WorkspacePath, { version, hash }: KnownRemote, facts: SyncFacts): Verdict {
  if (!facts.isHealthy) return wait;
  return one({ kind: 'delete_there', row: 9, path, remote: { kind: 'file', version, hash } });
}

/** Changed on the server. */
function row10(path: WorkspacePath, remote: KnownRemote, local: LocalFile): Verdict {
  return one(replace(10, path, remote, local));
}

/** Changed on both sides to the same content. */
function row11(path: WorkspacePath, remote: KnownRemote, local: LocalFile): Verdict {
  return one(adopt(11, path, remote, local));
}

/** Changed on both sides to different contents. */
function row12(
  path: WorkspacePath,
  base: BaseFile,
  remote: KnownRemote,
  local: LocalFile,
  facts: SyncFacts,
): Verdict {
  if (local.isUntrusted) return one(replace(12, path, remote, local));
  const versions = facts.versions.get(path);
  if (versions === undefined) return { kind: 'ask', question: { kind: 'versions', path } };
  // The disk is ahead of the state: the local content came from the server or was already sent.
  if (isNewerVersion(local.hash, base, versions)) return one(replace(12, path, remote, local));
  const sides = { row: 12, path, local, remote, base: { version: base.version, hash: base.hash } };
  return one(facts.merge === 'clean' ? { kind: 'merge', ...sides } : { kind: 'conflict', ...sides });
}

/** Deleted locally and changed on the server: an edit wins over a delete. */
function row13(path: WorkspacePath, remote: KnownRemote): Verdict {
  return one({ kind: 'download', row: 13, path, wanted: wantedOf(remote), over: { kind: 'absent' } });
}

/** Deleted on the server. */
function row14(path: WorkspacePath, local: LocalFile): Verdict {
  return one({ kind: 'remove_here', row: 14, path, local: presumed(local) });
}

/** Deleted on both sides. */
function row15(path: WorkspacePath): Verdict {
  return one({ kind: 'forget', row: 15, path });
}

/** Deleted on the server and changed locally: an edit wins over a delete. */
function row16(path: WorkspacePath, local: LocalFile): Verdict {
  if (local.isUntrusted) return one({ kind: 'remove_here', row: 16, path, local: presumed(local) });
  return one({ kind: 'upload', row: 16, path, local, remote: { kind: 'absent' }, contentType: null });
}

/** Made private by another member. */
function row17(path: WorkspacePath, local: LocalFile): Verdict {
  return one({ kind: 'unlink_here', row: 17, path, local: presumed(local) });
}

/** Made private by another member and changed locally. */
function row18(path: WorkspacePath, local: LocalFile): Verdict {
  return one({ kind: 'rescue', row: 18, path, local: presumed(local) });
}

/** Made private by another member and deleted locally. */
function row19(path: WorkspacePath): Verdict {
  return one({ kind: 'forget', row: 19, path });
}

/** New locally, at a path where another member has a private item. */
function row20(): Verdict {
  return { kind: 'left_out', reason: 'hidden_by_private', detail: null };
}

/** Locally unknown. Waits for temporary reasons and reports the others. */
function row21({ reason }: Extract<LocalCell, { kind: 'unknown' }>): Verdict {
  return reason === 'unsettled' ? wait : { kind: 'left_out', reason, detail: null };
}

/** An item that is not synced occupies the path. */
function row22({ base, remote }: PathCell, { by }: Extract<LocalCell, { kind: 'blocked' }>): Verdict {
  const isWanted = base !== null || (remote.kind !== 'absent' && remote.kind !== 'hidden');
  if (isWanted) return { kind: 'left_out', reason: 'blocked', detail: by };
  return { kind: 'left_out', reason: by === 'special_file' ? by : 'symlink', detail: null };
}

/** Ignored: each side keeps what it has. */
function row23({ base, remote }: PathCell): Verdict {
  if (base !== null) return { kind: 'left_out', reason: 'frozen', detail: null };
  if (remote.kind === 'absent' || remote.kind === 'hidden') return inSync;
  return { kind: 'left_out', reason: 'ignored', detail: null };
}

function one(operation: DraftOperation): Verdict {
  return { kind: 'do', operations: [operation] };
}

function adopt(row: number, path: WorkspacePath, remote: KnownRemote, local: LocalFile): DraftOperation {
  const { stamp, object, localName, mode } = local;
  const wanted = { ...wantedOf(remote), hash: remote.hash };
  return { kind: 'adopt', row, path, remote: wanted, local: { stamp, object, localName, mode } };
}

function replace(row: number, path: WorkspacePath, remote: KnownRemote, local: LocalFile): DraftOperation {
  return { kind: 'download', row, path, wanted: wantedOf(remote), over: presumed(local) };
}

export function presumed({ stamp, hash }: LocalFile): {
  readonly kind: 'file';
  readonly stamp: LocalFile['stamp'];
  readonly hash: ContentHash;
} {
  return { kind: 'file', stamp, hash };
}

export function wantedOf<Hash extends ContentHash | null>({
  version,
  hash,
  sizeBytes,
  contentType,
}: Omit<Wanted, 'hash'> & { readonly hash: Hash }): Wanted & { readonly hash: Hash } {
  return { version, hash, sizeBytes, contentType };
}

/** Whether a version newer than the base's has this content. The list is newest first. */
function isNewerVersion(hash: ContentHash, base: BaseFile, versions: readonly KnownVersion[]): boolean {
  const baseAt = versions.findIndex((each) => each.version === base.version && each.hash === base.hash);
  const at = versions.findIndex((each) => each.hash === hash);
  return at !== -1 && at < baseAt;
}
