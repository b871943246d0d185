import {
  type BaseFile,
  type BaseFolder,
  type ContentHash,
  changesMax,
  type KnownVersion,
  type LocalFile,
  type LocalFolderState,
  type LocalState,
  type ObjectId,
  parseWorkspacePath,
  planSync,
  type RemoteFile,
  type RemoteState,
  type Stamp,
  type SyncFacts,
  type SyncOperation,
  type SyncPlan,
  type WorkspacePath,
} from '../../../src/index.ts';

export const at = parseWorkspacePath;

/** A content is a letter; its hash is the hexadecimal code of the letter, padded to 64 digits. */
export function hashOf(letter: string): ContentHash {
  return letter.charCodeAt(0).toString(16).padStart(64, '0') as ContentHash;
}

export function baseFile(letter: string, more: Partial<BaseFile> = {}): BaseFile {
  return {
    version: 1,
    hash: hashOf(letter),
    sizeBytes: 10,
    contentType: 'text/markdown',
    stamp: `stamp of ${letter}` as Stamp,
    object: null,
    localName: null,
    mode: 0o644,
    isFlushed: true,
    ...more,
  };
}

export function localFile(letter: string, more: Partial<LocalFile> = {}): LocalFile {
  const stamp = `stamp of ${letter}` as Stamp;
  const rest = { object: null, localName: null, mode: 0o644, isUntrusted: false };
  return { kind: 'file', hash: hashOf(letter), sizeBytes: 10, stamp, ...rest, ...more };
}

export function remoteFile(letter: string, more: Partial<RemoteFile> = {}): RemoteFile {
  const origin = { movedFrom: null, conflictOf: null, seq: 9 };
  return {
    kind: 'file',
    version: 2,
    hash: hashOf(letter),
    sizeBytes: 10,
    contentType: null,
    ...origin,
    ...more,
  };
}

export const absent = { kind: 'absent' } as const;
export const hidden = { kind: 'hidden' } as const;
export const folder = (object: string | null, isEmpty = false): LocalFolderState => ({
  kind: 'folder',
  object: object as ObjectId | null,
  isEmpty,
});
export const object = (name: string): ObjectId => name as ObjectId;

export interface Situation {
  readonly base?: Readonly<Record<string, BaseFile>>;
  readonly baseFolders?: Readonly<Record<string, BaseFolder>>;
  readonly local?: Readonly<Record<string, LocalState>>;
  readonly localFolders?: Readonly<Record<string, LocalFolderState>>;
  readonly ignored?: Readonly<Record<string, 'file' | 'folder'>>;
  readonly remote?: Readonly<Record<string, RemoteState>>;
  readonly versions?: Readonly<Record<string, readonly KnownVersion[]>>;
  readonly facts?: Partial<SyncFacts>;
}

function mapOf<T>(record: Readonly<Record<string, T>> = {}): ReadonlyMap<WorkspacePath, T> {
  return new Map(Object.entries(record).map(([path, value]) => [at(path), value]));
}

export function plan(situation: Situation): SyncPlan {
  const trees = {
    base: mapOf(situation.base),
    baseFolders: mapOf(situation.baseFolders),
    local: mapOf(situation.local),
    localFolders: mapOf(situation.localFolders),
    ignored: mapOf(situation.ignored),
    remote: mapOf(situation.remote),
  };
  return planSync(trees, {
    phase: 'live',
    traits: { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' },
    isIgnored: () => false,
    isHealthy: true,
    awaitingEcho: new Set(),
    waiting: new Map(),
    lost: new Set(),
    uploadsWait: null,
    maxFileBytes: null,
    maxChanges: changesMax,
    confirmed: new Map(),
    versions: mapOf(situation.versions),
    hashes: new Map(),
    merge: 'off',
    copyLabel: { now: Date.UTC(2026, 10, 20, 14, 30, 12), writer: 'laptop' },
    ...situation.facts,
  });
}

/** Returns each operation as one line with its presumed state, for comparison in tests. */
export function lines({ operations }: SyncPlan): string[] {
  return operations.map((operation) => {
    const after = operation.after.length === 0 ? '' : ` after ${operation.after.join(' ')}`;
    return `${operation.row} ${operation.kind} ${details(operation)}${after}`;
  });
}

function details(operation: SyncOperation): string {
  const { path } = operation;
  switch (operation.kind) {
    case 'upload':
      return `${path}=${letterOf(operation.local.hash)} over ${remotely(operation.remote)}`;
    case 'download':
      return `${path}=${letterOf(operation.wanted.hash)} over ${locally(operation.over)}`;
    case 'conflict':
    case 'merge':
      return `${path}=${letterOf(operation.local.hash)} against ${letterOf(operation.remote.hash)}`;
    case 'delete_there':
      return `${path} ${remotely(operation.remote)}`;
    case 'move_there':
      return `${operation.from} ${remotely(operation.remote)} -> ${path}`;
    case 'rename_here':
    case 'set_aside':
      return `${operation.from} ${locally(operation.local)} -> ${path}`;
    case 'move_folder_there':
    case 'carry_base':
      return `${operation.from} -> ${path}`;
    case 'remove_here':
    case 'unlink_here':
    case 'rescue':
      return `${path} ${locally(operation.local)}`;
    default:
      return path;
  }
}

function letterOf(hash: ContentHash | null): string {
  return hash === null ? '?' : String.fromCharCode(Number.parseInt(hash.slice(-2), 16));
}

function remotely(presumed: {
  readonly kind: string;
  readonly version?: number;
  readonly hash?: ContentHash;
}): string {
  return presumed.kind === 'absent' ? 'nothing' : `${letterOf(presumed.hash ?? null)} v${presumed.version}`;
}

function locally(presumed: { readonly kind: string; readonly hash?: ContentHash }): string {
  if (presumed.kind === 'absent') return 'nothing';
  return presumed.kind === 'folder' ? 'folder' : letterOf(presumed.hash ?? null);
}
