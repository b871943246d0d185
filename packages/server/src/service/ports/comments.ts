import type { Anchor, ByteRange, ContentHash, ThreadStatus, Viewer, WorkspacePath } from '@stoa/core';
import type { ActorStamp } from './changes.ts';
import type { FileRow } from './files.ts';

/** Time, user and file version of a thread's resolution; the version is null when there was no file. */
export interface Resolution {
  readonly at: number;
  readonly atVersion: number | null;
  readonly userId: string;
}

/**
 * A comment thread without its text. It belongs to a path, like a privacy record: it stays there while its file is
 * deleted, and moves with the file.
 */
export interface ThreadHead extends ActorStamp {
  readonly id: string;
  readonly workspaceId: string;
  /** The seq of the change that created it: the order of threads. */
  readonly seq: number;
  readonly path: WorkspacePath;
  readonly anchor: Anchor;
  /** The anchor's range in the pinned bytes. */
  readonly pinnedRange: ByteRange;
  readonly pinnedVersion: number;
  readonly pinnedContentHash: ContentHash;
  readonly pinnedSizeBytes: number;
  readonly createdAt: number;
  /** Null while the thread is open. */
  readonly resolution: Resolution | null;
}

/** A thread with the current file at its path. */
export interface ThreadWithFile extends ThreadHead {
  readonly file: Pick<FileRow, 'version' | 'contentHash' | 'sizeBytes'> | null;
}

/** A reply. `seq` is the seq of its change: the order of replies. */
export interface EntryRow extends ActorStamp {
  readonly id: string;
  readonly workspaceId: string;
  readonly threadId: string;
  readonly seq: number;
  readonly body: string;
  readonly createdAt: number;
}

/** Null fields match everything. */
export interface ThreadFilter {
  readonly path: WorkspacePath | null;
  /** Threads of the files in this folder. */
  readonly folder?: WorkspacePath | null;
  readonly threadId: string | null;
  readonly status: ThreadStatus | null;
  readonly authorId: string | null;
  /** A user's name or a key's label, case-insensitive. */
  readonly authorName?: string | null;
}

export interface CommentReader {
  /**
   * Returns the number of matching threads that the viewer may see, and the seqs of `limit` of them after the first
   * `offset`, oldest first.
   */
  scan(
    query: ThreadFilter & {
      readonly workspaceId: string;
      readonly viewer: Viewer;
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<{ readonly total: number; readonly seqs: readonly number[] }>;
  /** Returns threads by their seqs and in their order, not filtered by privacy; omits missing ones. */
  heads(workspaceId: string, seqs: readonly number[]): Promise<readonly ThreadWithFile[]>;
  /** Not filtered by privacy, as in `heads`. */
  find(workspaceId: string, threadId: string): Promise<ThreadWithFile | null>;
  /** The texts of one thread, its replies oldest first. Null when it does not exist or the viewer may not see it. */
  texts(query: {
    readonly workspaceId: string;
    readonly seq: number;
    readonly viewer: Viewer;
    readonly entriesLimit: number;
    readonly entriesOffset: number;
  }): Promise<ThreadTexts | null>;
  countEntries(threadId: string): Promise<number>;
  /** The user's reply in the thread with this idempotency key. */
  findEntry(threadId: string, userId: string, dedupeKey: string): Promise<EntryRow | null>;
}

export interface ThreadTexts {
  readonly body: string;
  readonly entries: readonly EntryRow[];
  /** The total, not only those in `entries`. */
  readonly entryCount: number;
}

export interface CommentWriter {
  insertThread(row: Omit<ThreadHead, 'resolution'> & { readonly body: string }): Promise<void>;
  insertEntry(row: EntryRow & { readonly dedupeKey: string | null }): Promise<void>;
  /** Null reopens the thread. */
  setResolution(threadId: string, resolution: Resolution | null): Promise<void>;
  moveThreads(workspaceId: string, from: WorkspacePath, to: WorkspacePath): Promise<void>;
}
