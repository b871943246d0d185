import type { ContentHash, WorkspacePath } from '@stoa/core';
import type { ActorStamp, ChangeRow } from '../ports/changes.ts';

/** Who did something, and when. */
export interface Doing extends ActorStamp {
  readonly seq: number;
  readonly at: number;
}

/** A version by which a file can be compared with what it was. Null: the newest that has this number. */
export interface BaseVersion {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly contentHash: ContentHash | null;
}

/** What became of one file over a stretch of the feed, as others made it. */
export interface FoldedFile {
  /** Where it is now; of a deleted one where it was. */
  readonly path: WorkspacePath;
  /** Where it was before; null: it was not there. */
  readonly origin: WorkspacePath | null;
  readonly kind: 'changed' | 'new' | 'moved' | 'deleted' | 'conflict' | 'shared';
  readonly conflictOf: WorkspacePath | null;
  readonly base: BaseVersion | null;
  /** The last that others did to the file itself; null: they only commented on it. */
  readonly last: Doing | null;
  readonly comments: { readonly count: number; readonly last: Doing } | null;
  /** The seq of the last that others did. */
  readonly seq: number;
}

/** The same while the feed is read. */
interface Tracked {
  origin: WorkspacePath | null;
  /** Whether a record was about the file, and not its comments alone. */
  isTouched: boolean;
  deletion: { readonly seq: number; readonly version: number | null; readonly byOthers: boolean } | null;
  isMoved: boolean;
  isShared: boolean;
  conflictOf: WorkspacePath | null;
  base: BaseVersion | null;
  last: Doing | null;
  comments: { count: number; last: Doing } | null;
}

/**
 * Follows files through the changes that a viewer sees, in order of seq. Own changes are followed too, so that a file is
 * found where it is, and told to nobody.
 */
export class FoldedChanges {
  readonly #files = new Map<WorkspacePath, Tracked>();
  readonly #isOwn: (change: ChangeRow) => boolean;

  constructor(isOwn: (change: ChangeRow) => boolean) {
    this.#isOwn = isOwn;
  }

  add(change: ChangeRow): void {
    switch (change.op) {
      case 'write':
      case 'restore':
      case 'conflict':
        this.#write(change);
        break;
      case 'move':
        this.#move(change);
        break;
      case 'delete':
        this.#delete(change);
        break;
      case 'access_granted':
        this.#share(change);
        break;
      case 'access_revoked':
        break;
      case 'comment_created':
      case 'comment_replied':
      case 'comment_resolved':
      case 'comment_reopened':
        this.#comment(change);
        break;
    }
  }

  /** What others did, oldest first by the last of it. What came and went since is not there. */
  files(): readonly FoldedFile[] {
    const folded: FoldedFile[] = [];
    for (const [path, tracked] of this.#files) {
      const file = toFolded(path, tracked);
      if (file !== null) folded.push(file);
    }
    return folded.sort((a, b) => a.seq - b.seq);
  }

  #write(change: ChangeRow): void {
    const { path, version, conflictOf } = change;
    const file = this.#at(path);
    if (!file.isTouched) {
      if (version === null || version <= 1) file.origin = null;
      else file.base = { path, version: version - 1, contentHash: null };
    }
    file.isTouched = true;
    file.deletion = null;
    if (conflictOf !== null) file.conflictOf = conflictOf;
    this.#note(file, change);
  }

  /** A move is two records: the deletion of the old path, and this one right behind it. */
  #move(change: ChangeRow): void {
    const { path, movedFrom, contentHash } = change;
    const source = movedFrom === null ? undefined : this.#files.get(movedFrom);
    if (movedFrom === null || source?.deletion?.seq !== change.seq - 1) {
      // It came from where the viewer sees nothing.
      this.#files.set(path, { ...untouched(null), isTouched: true });
    } else {
      const { base, deletion } = source;
      if (base !== null && base.version === deletion.version) source.base = { ...base, contentHash };
      source.deletion = null;
      this.#files.delete(movedFrom);
      this.#files.set(path, source);
    }
    const file = this.#at(path);
    if (!this.#isOwn(change)) file.isMoved = true;
    this.#note(file, change);
  }

  #delete(change: ChangeRow): void {
    const { path, version, seq } = change;
    const file = this.#at(path);
    if (!file.isTouched && version !== null) file.base = { path, version, contentHash: null };
    file.isTouched = true;
    file.deletion = { seq, version, byOthers: !this.#isOwn(change) };
    this.#note(file, change);
  }

  /** What was private to somebody is seen from here on. */
  #share(change: ChangeRow): void {
    const file = this.#at(change.path);
    if (!file.isTouched) file.origin = null;
    file.isTouched = true;
    file.isShared = true;
    this.#note(file, change);
  }

  #comment(change: ChangeRow): void {
    if (this.#isOwn(change)) return;
    const file = this.#at(change.path);
    const isNew = change.op === 'comment_created' || change.op === 'comment_replied';
    file.comments = { count: (file.comments?.count ?? 0) + (isNew ? 1 : 0), last: doingOf(change) };
  }

  #note(file: Tracked, change: ChangeRow): void {
    if (!this.#isOwn(change)) file.last = doingOf(change);
  }

  #at(path: WorkspacePath): Tracked {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file = untouched(path);
    this.#files.set(path, file);
    return file;
  }
}

function untouched(origin: WorkspacePath | null): Tracked {
  return {
    origin,
    isTouched: false,
    deletion: null,
    isMoved: false,
    isShared: false,
    conflictOf: null,
    base: null,
    last: null,
    comments: null,
  };
}

function doingOf({ seq, createdAt, principal, actorId, actorKeyId, actorLabel }: ChangeRow): Doing {
  return { seq, at: createdAt, principal, actorId, actorKeyId, actorLabel };
}

function toFolded(path: WorkspacePath, tracked: Tracked): FoldedFile | null {
  const { origin, deletion, conflictOf, base, last } = tracked;
  if (deletion !== null) {
    // Comments wait for a file that is gone: nobody is told of them.
    if (origin === null || last === null || !deletion.byOthers) return null;
    return { path: origin, origin, kind: 'deleted', conflictOf, base, last, comments: null, seq: last.seq };
  }
  const { comments } = tracked;
  if (last === null && comments === null) return null;
  const seq = Math.max(last?.seq ?? 0, comments?.last.seq ?? 0);
  return { path, origin, kind: kindOf(path, tracked), conflictOf, base, last, comments, seq };
}

function kindOf(path: WorkspacePath, tracked: Tracked): FoldedFile['kind'] {
  const { origin, conflictOf, isShared, isMoved } = tracked;
  if (origin === null) return conflictOf !== null ? 'conflict' : isShared ? 'shared' : 'new';
  return isMoved && origin !== path ? 'moved' : 'changed';
}
