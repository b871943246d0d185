import type { ContentHash, WorkspacePath } from '@stoa/core';
import type { ActorStamp, ChangeRow } from '../ports/changes.ts';

/** Actor and time of a change. */
export interface Operation extends ActorStamp {
  readonly seq: number;
  readonly at: number;
}

/** An author of a file's news, with their last change and a summary of all. */
export interface Author extends Operation {
  /** The first and the last version that they wrote; null without one. */
  readonly versions: { readonly first: number; readonly last: number } | null;
  readonly acts: readonly Act[];
}

/** Kinds of changes other than writing, in the order in which an author first made each. */
export type Act = 'moved' | 'deleted' | 'shared' | 'restored' | 'hid';

/** A version to compare the file with. Null hash: the newest version with this number. */
export interface BaseVersion {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly contentHash: ContentHash | null;
}

/** Summary of other users' changes to one file in a range of the feed. */
export interface FoldedFile {
  /** Current path; the last path of a deleted file. */
  readonly path: WorkspacePath;
  /** Path at the start of the range; null: it did not exist. */
  readonly origin: WorkspacePath | null;
  readonly kind: 'changed' | 'new' | 'moved' | 'deleted' | 'conflict' | 'shared' | 'hidden';
  readonly conflictOf: WorkspacePath | null;
  readonly base: BaseVersion | null;
  /** Other users who changed the file itself, by the last change of each; empty when they only commented. */
  readonly authors: readonly Author[];
  readonly comments: { readonly count: number; readonly authors: readonly Operation[] } | null;
  /** The seqs of other users' first and last change. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** State of a `FoldedFile` while the feed is read. */
interface Tracked {
  origin: WorkspacePath | null;
  /** Whether a record changed the file itself, not only its comments. */
  isTouched: boolean;
  deletion: { readonly seq: number; readonly version: number | null; readonly byOthers: boolean } | null;
  isMoved: boolean;
  isShared: boolean;
  conflictOf: WorkspacePath | null;
  base: BaseVersion | null;
  authors: Authors;
  comments: { count: number; readonly authors: Authors } | null;
}

/** By key, or by user for changes without a key. */
type Authors = Map<string, Author & { readonly firstSeq: number }>;

/**
 * Follows files through the changes that a viewer sees, in seq order. The viewer's own changes keep the paths correct
 * but are not reported.
 */
export class FoldedChanges {
  readonly #files = new Map<WorkspacePath, Tracked>();
  /** Deleted files whose path another file took by a move. */
  readonly #replaced: (readonly [WorkspacePath, Tracked])[] = [];
  /** Paths that became hidden from the viewer, with everything below them. */
  readonly #hidden = new Map<WorkspacePath, Tracked>();
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
        this.#hide(change);
        break;
      case 'comment_created':
      case 'comment_replied':
      case 'comment_resolved':
      case 'comment_reopened':
        this.#comment(change);
        break;
    }
  }

  /**
   * Returns other users' changes by the first change of each file. Everything before a file's first change is in the
   * files before it, so a reader who stops there can continue there. Files that were created and deleted within the
   * range are omitted.
   */
  files(): readonly FoldedFile[] {
    const folded: FoldedFile[] = [];
    for (const [path, tracked] of [...this.#files, ...this.#replaced, ...this.#hidden]) {
      const file = toFolded(path, tracked);
      if (file !== null) folded.push(file);
    }
    return folded.sort((a, b) => a.firstSeq - b.firstSeq);
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

  /** A move is two records: the deletion of the old path, and this one right after it. */
  #move(change: ChangeRow): void {
    const { path, movedFrom, contentHash } = change;
    const source = movedFrom === null ? undefined : this.#files.get(movedFrom);
    if (movedFrom === null || source?.deletion?.seq !== change.seq - 1) {
      // The viewer cannot see the source of the move.
      this.#take(path, { ...untouched(null), isTouched: true });
    } else {
      const { base, deletion } = source;
      if (base !== null && base.version === deletion.version) source.base = { ...base, contentHash };
      source.deletion = null;
      this.#files.delete(movedFrom);
      const left = source.authors.get(authorKey(change));
      // The deletion of the old path is half of the move.
      if (left?.acts.at(-1) === 'deleted' && left.seq === change.seq - 1)
        source.authors.set(authorKey(change), { ...left, acts: left.acts.slice(0, -1) });
      this.#take(path, source);
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

  /** A private item became visible to the viewer. */
  #share(change: ChangeRow): void {
    const file = this.#at(change.path);
    if (!file.isTouched) file.origin = null;
    file.isTouched = true;
    file.isShared = true;
    this.#note(file, change);
  }

  #hide(change: ChangeRow): void {
    const hidden = this.#hidden.get(change.path) ?? untouched(change.path);
    this.#hidden.set(change.path, hidden);
    this.#note(hidden, change);
  }

  #comment(change: ChangeRow): void {
    if (this.#isOwn(change)) return;
    const file = this.#at(change.path);
    file.comments ??= { count: 0, authors: new Map() };
    if (change.op === 'comment_created' || change.op === 'comment_replied') file.comments.count += 1;
    recordAuthor(file.comments.authors, change);
  }

  #note(file: Tracked, change: ChangeRow): void {
    if (!this.#isOwn(change)) recordAuthor(file.authors, change);
  }

  /** Puts a file at a path. A file that was deleted there stays as separate news. */
  #take(path: WorkspacePath, file: Tracked): void {
    const before = this.#files.get(path);
    if (before !== undefined && before.deletion !== null) this.#replaced.push([path, before]);
    this.#files.set(path, file);
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
    authors: new Map(),
    comments: null,
  };
}

function authorKey({ actorKeyId, actorId }: ActorStamp): string {
  return actorKeyId ?? actorId;
}

function recordAuthor(authors: Authors, change: ChangeRow): void {
  const { seq, createdAt, principal, actorId, actorKeyId, actorLabel, op, version } = change;
  const before = authors.get(authorKey(change));
  const act = acts[op];
  const done = before?.acts ?? [];
  const isWritten = (op === 'write' || op === 'conflict' || op === 'restore') && version !== null;
  const versions = isWritten
    ? { first: before?.versions?.first ?? version, last: version }
    : before?.versions;
  authors.set(authorKey(change), {
    ...{ seq, at: createdAt, principal, actorId, actorKeyId, actorLabel },
    firstSeq: before?.firstSeq ?? seq,
    versions: versions ?? null,
    acts: act === undefined || done.includes(act) ? done : [...done, act],
  });
}

const acts: Partial<Record<ChangeRow['op'], Act>> = {
  move: 'moved',
  delete: 'deleted',
  restore: 'restored',
  access_granted: 'shared',
  access_revoked: 'hid',
};

function bySeq(authors: Authors) {
  return [...authors.values()].sort((a, b) => a.seq - b.seq);
}

function toFolded(path: WorkspacePath, tracked: Tracked): FoldedFile | null {
  const { origin, deletion, conflictOf, base } = tracked;
  const authors = bySeq(tracked.authors);
  // Comments stay on the path of a deleted file and are not news.
  const comments = deletion === null ? tracked.comments : null;
  const all = [...authors, ...(comments === null ? [] : comments.authors.values())];
  if (all.length === 0) return null;
  if (deletion !== null && (origin === null || authors.length === 0 || !deletion.byOthers)) return null;
  return {
    ...{
      path: deletion === null ? path : (origin ?? path),
      origin,
      kind: kindOf(path, tracked),
      conflictOf,
      base,
    },
    authors,
    comments: comments === null ? null : { count: comments.count, authors: bySeq(comments.authors) },
    firstSeq: Math.min(...all.map(({ firstSeq }) => firstSeq)),
    lastSeq: Math.max(...all.map(({ seq }) => seq)),
  };
}

function kindOf(path: WorkspacePath, tracked: Tracked): FoldedFile['kind'] {
  const { origin, deletion, conflictOf, isShared, isMoved, authors } = tracked;
  if (deletion !== null) return 'deleted';
  if ([...authors.values()].some(({ acts }) => acts.includes('hid'))) return 'hidden';
  if (origin === null) return conflictOf !== null ? 'conflict' : isShared ? 'shared' : 'new';
  return isMoved && origin !== path ? 'moved' : 'changed';
}
