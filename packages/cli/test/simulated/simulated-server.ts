import { hash as hashOf } from 'node:crypto';
import {
  type ChangeOp,
  type ContentHash,
  conflictedCopyPaths,
  decideDelete,
  decideQuota,
  decideWrite,
  foldersAbove,
  growthBy,
  guessContentType,
  isVisibleTo,
  isWithin,
  type KnownVersion,
  memberViewer,
  nearestOwner,
  nextSeqAfter,
  type OnConflict,
  parseWorkspacePath,
  rebasePath,
  WorkspaceError,
  type WorkspacePath,
  type WritePrecondition,
} from '@stoa/core';

export interface StoredFile {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface StoredVersion extends KnownVersion {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A member with one key. The simulation has no anonymous callers. */
export interface SimulatedKey {
  readonly userId: string;
  readonly keyId: string;
  readonly keyName: string;
}

export interface ServedChange {
  readonly seq: number;
  readonly id: string;
  readonly path: WorkspacePath;
  readonly op: Exclude<ChangeOp, `comment_${string}`>;
  readonly version: number | null;
  readonly contentHash: ContentHash | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly movedFrom: WorkspacePath | null;
  readonly conflictOf: WorkspacePath | null;
}

interface KeptChange extends ServedChange {
  /** Whether this user may see the change. */
  readonly isFor: (userId: string) => boolean;
}

export type ServedWrite =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly version: number }
  | { readonly kind: 'conflict'; readonly copyPath: WorkspacePath }
  | { readonly kind: 'quota_exceeded' | 'file_count_exceeded' };

/**
 * A workspace on a server in memory. Core decides the outcome of writes, deletes and feed pages, as on the real server.
 * Every call is one transaction. Rejections are `WorkspaceError`.
 */
export class SimulatedServer {
  readonly #now: () => number;
  #files = new Map<WorkspacePath, StoredFile>();
  #history = new Map<WorkspacePath, StoredVersion[]>();
  #owners = new Map<WorkspacePath, string>();
  #changes: KeptChange[] = [];
  #copies = new Map<WorkspacePath, WorkspacePath>();
  #seq = 0;
  #life = 1;
  readonly #listeners = new Set<() => void>();
  /** Files with damaged bytes: their metadata can be read, but their bytes cannot. */
  readonly damaged = new Set<WorkspacePath>();
  /** Limits of the plan; null means unlimited. */
  limits: { storageBytes: number | null; files: number | null; maxFileBytes: number; isReadOnly: boolean } = {
    storageBytes: null,
    files: null,
    maxFileBytes: 100_000_000,
    isReadOnly: false,
  };

  constructor(now: () => number) {
    this.#now = now;
  }

  get head(): number {
    return this.#seq;
  }

  /** Calls `listener` after each change. @returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the files that a member sees, by path. */
  filesFor(userId: string): Map<WorkspacePath, StoredFile> {
    return new Map([...this.#files].filter(([path]) => this.#isVisible(path, userId)));
  }

  /** Yields the hash of every stored content. The oracle counts these as not lost. */
  *allContents(): Generator<ContentHash> {
    for (const { contentHash } of this.#files.values()) yield contentHash;
    for (const versions of this.#history.values()) for (const { hash } of versions) yield hash;
  }

  usage() {
    const files = [...this.#files.values()];
    return {
      usedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      usedFiles: files.length,
      historyBytes: 0,
    };
  }

  find(path: WorkspacePath, userId: string): StoredFile | null {
    return this.#isVisible(path, userId) ? (this.#files.get(path) ?? null) : null;
  }

  listVersions(path: WorkspacePath, userId: string): readonly StoredVersion[] {
    return this.#isVisible(path, userId) ? (this.#history.get(path) ?? []).toReversed() : [];
  }

  readChanges(userId: string, sinceSeq: number, limit: number) {
    const from = this.#changes.findLastIndex(({ seq }) => seq <= sinceSeq) + 1;
    const scanned = this.#changes.slice(from, from + limit);
    const changes = scanned.filter(
      ({ isFor, op, path }) => isFor(userId) && (op === 'access_revoked' || this.#isVisible(path, userId)),
    );
    const scannedSeqs = scanned.map(({ seq }) => seq);
    const nextSeq = nextSeqAfter({ sinceSeq, head: this.#seq, limit, scannedSeqs });
    return { changes, head: this.#seq, nextSeq };
  }

  /** @throws WorkspaceError */
  write(
    key: SimulatedKey,
    path: WorkspacePath,
    bytes: Uint8Array<ArrayBuffer>,
    precondition: WritePrecondition,
    contentType: string | null,
    onConflict: OnConflict = 'keep',
  ): ServedWrite {
    if (this.limits.isReadOnly) throw new WorkspaceError('workspace_read_only');
    parseWorkspacePath(path);
    if (bytes.length > this.limits.maxFileBytes) throw new WorkspaceError('file_too_large');
    if (!this.#isVisible(path, key.userId)) throw new WorkspaceError('file_not_found');
    const current = this.#files.get(path) ?? null;
    if (current === null) this.#rejectTakenPath(path, key.userId);
    const hash = hashOf('sha256', bytes, 'hex') as ContentHash;
    const decision = decideWrite(current, hash, precondition, onConflict);
    switch (decision.kind) {
      // The simulation never uses the preconditions that lead here.
      case 'gone':
      case 'precondition_required':
      case 'refused':
        throw new WorkspaceError('precondition_required');
      case 'unchanged':
        return { kind: 'unchanged', version: decision.version };
      case 'create':
      case 'update': {
        const error = decideQuota(this.usage(), this.#plan(), growthBy(bytes.length, current));
        if (error !== null) return { kind: error.kind as 'quota_exceeded' | 'file_count_exceeded' };
        const version = decision.kind === 'create' ? 1 : decision.version;
        this.#put(path, { version, bytes, hash, contentType });
        this.#record(key, path, 'write', { version, contentHash: hash });
        return { kind: decision.kind === 'create' ? 'created' : 'updated', version };
      }
      case 'conflict':
        return this.#keepLosing(key, path, { bytes, hash, contentType });
    }
  }

  /** Returns null if the file does not exist. */
  delete(
    key: SimulatedKey,
    path: WorkspacePath,
    seen: { readonly version: number; readonly contentHash: ContentHash | null },
  ): 'deleted' | 'stale' | null {
    const current = this.find(path, key.userId);
    if (current === null) return null;
    if (decideDelete(current, seen).kind === 'conflict') return 'stale';
    this.#files.delete(path);
    this.#record(key, path, 'delete', { version: current.version });
    return 'deleted';
  }

  /** @throws WorkspaceError */
  move(
    key: SimulatedKey,
    from: WorkspacePath,
    to: WorkspacePath,
    seen: { readonly version: number; readonly contentHash: ContentHash | null } | null,
  ): 'moved' | 'stale' | null {
    const current = this.find(from, key.userId);
    if (current === null) return null;
    if (seen !== null && decideDelete(current, seen).kind === 'conflict') return 'stale';
    if (!this.#isVisible(to, key.userId)) throw new WorkspaceError('file_not_found');
    if (this.#files.has(to)) throw new WorkspaceError('destination_exists');
    this.#files.delete(from);
    try {
      this.#rejectTakenPath(to, key.userId);
    } catch (error) {
      this.#files.set(from, current);
      throw error;
    }
    const owner = this.#owners.get(from);
    const earlier = this.#history.get(from) ?? [];
    this.#record(key, from, 'delete', { version: current.version });
    this.#owners.delete(from);
    if (owner !== undefined) this.#owners.set(to, owner);
    this.#history.set(to, [...(this.#history.get(to) ?? []), ...earlier]);
    this.#put(to, { ...current, version: 1, hash: current.contentHash });
    this.#record(key, to, 'move', { version: 1, contentHash: current.contentHash, movedFrom: from });
    return 'moved';
  }

  /** Whether another member's private item is at the path or above it. */
  isHidden(path: WorkspacePath, userId: string): boolean {
    return !this.#isVisible(path, userId);
  }

  /** Returns the owner of each private item, by path. */
  privateItems(): ReadonlyMap<WorkspacePath, string> {
    return this.#owners;
  }

  /** Makes an item private for its owner, or shares it again. */
  setPrivate(key: SimulatedKey, path: WorkspacePath, isPrivate: boolean): void {
    const wasVisible = (userId: string) => before.get(userId) ?? true;
    const before = new Map([...this.#members].map((userId) => [userId, this.#isVisible(path, userId)]));
    if (isPrivate) this.#owners.set(path, key.userId);
    else this.#owners.delete(path);
    const op = isPrivate ? 'access_revoked' : 'access_granted';
    this.#record(key, path, op, {
      isFor: (userId) =>
        userId !== key.userId && (isPrivate ? wasVisible(userId) : this.#isVisible(path, userId)),
    });
  }

  /** Removes a file without a feed record, as damage does. */
  lose(path: WorkspacePath): void {
    this.#files.delete(path);
  }

  /**
   * Takes a snapshot, like a backup.
   * @returns a function that restores this state. `jump` advances its feed numbers.
   */
  snapshot(): (jump?: number) => void {
    const kept = structuredClone([
      this.#files,
      this.#history,
      this.#owners,
      this.#copies,
      this.#seq,
    ] as const);
    const changes = [...this.#changes];
    return (jump = 0) => {
      const [files, history, owners, copies, seq] = structuredClone(kept);
      [this.#files, this.#history, this.#owners, this.#copies] = [files, history, owners, copies];
      this.#seq = seq + jump;
      this.#changes = [...changes];
      // Records after a restore have new ids.
      this.#life += 1;
    };
  }

  readonly #members = new Set<string>();

  addMember(userId: string): void {
    this.#members.add(userId);
  }

  #plan() {
    return { storageBytes: this.limits.storageBytes, files: this.limits.files, historyBytes: null };
  }

  #isVisible(path: WorkspacePath, userId: string): boolean {
    let owner: string | null = null;
    const locations = this.#owners.size === 0 ? [] : [...foldersAbove(path), path];
    for (const each of locations) owner = nearestOwner(this.#owners, each, owner);
    return isVisibleTo(path, owner, memberViewer(userId));
  }

  #rejectTakenPath(path: WorkspacePath, userId: string): void {
    for (const folder of foldersAbove(path)) {
      if (!this.#files.has(folder)) continue;
      throw new WorkspaceError(this.#isVisible(folder, userId) ? 'path_taken' : 'file_not_found');
    }
    const below = [...this.#files.keys()].filter((each) => each !== path && isWithin(each, path));
    if (below.length === 0) return;
    const isSeen = below.some((each) => this.#isVisible(each, userId));
    throw new WorkspaceError(isSeen ? 'path_taken' : 'file_not_found');
  }

  #put(
    path: WorkspacePath,
    file: {
      readonly version: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly hash: ContentHash;
      readonly contentType: string | null;
    },
  ): void {
    const { version, hash, bytes } = file;
    this.#files.set(path, {
      version,
      contentHash: hash,
      sizeBytes: bytes.length,
      contentType: file.contentType ?? guessContentType(path),
      bytes,
    });
    const history = this.#history.get(path) ?? [];
    this.#history.set(path, [...history, { version, hash, bytes }]);
  }

  #keepLosing(
    key: SimulatedKey,
    path: WorkspacePath,
    lost: {
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly hash: ContentHash;
      readonly contentType: string | null;
    },
  ): ServedWrite {
    const newest = this.#copies.get(path);
    if (newest !== undefined && this.#files.get(newest)?.contentHash === lost.hash) {
      return { kind: 'conflict', copyPath: newest };
    }
    const error = decideQuota(this.usage(), this.#plan(), growthBy(lost.bytes.length, null));
    if (error !== null) return { kind: error.kind as 'quota_exceeded' | 'file_count_exceeded' };
    for (const copyPath of conflictedCopyPaths(path, this.#now(), key.keyName)) {
      if (this.#files.has(copyPath)) continue;
      this.#put(copyPath, { version: 1, ...lost });
      this.#copies.set(path, copyPath);
      this.#record(key, copyPath, 'conflict', { version: 1, conflictOf: path });
      return { kind: 'conflict', copyPath };
    }
    throw new Error('all names for a conflicted copy are taken');
  }

  #record(
    key: SimulatedKey,
    path: WorkspacePath,
    op: ServedChange['op'],
    facts: Partial<Pick<KeptChange, 'version' | 'contentHash' | 'movedFrom' | 'conflictOf' | 'isFor'>>,
  ): void {
    this.#seq += 1;
    const visibleTo = new Set([...this.#members].filter((userId) => this.#isVisible(path, userId)));
    this.#changes.push({
      seq: this.#seq,
      id: `change-${this.#life}-${this.#seq}`,
      path,
      op,
      version: null,
      contentHash: null,
      keyId: key.keyId,
      keyName: key.keyName,
      movedFrom: null,
      conflictOf: null,
      isFor: (userId) => visibleTo.has(userId),
      ...facts,
    });
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Moves every file of a folder, as the app does. */
export function moveSimulatedFolder(
  server: SimulatedServer,
  key: SimulatedKey,
  from: WorkspacePath,
  to: WorkspacePath,
): void {
  for (const path of server.filesFor(key.userId).keys()) {
    if (isWithin(path, from)) server.move(key, path, rebasePath(path, from, to), null);
  }
}
