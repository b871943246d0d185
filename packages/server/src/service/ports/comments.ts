import type { Anchor, ByteRange, ContentHash, ThreadStatus, Viewer, WorkspacePath } from '@stoa/core';
import type { ActorStamp } from './changes.ts';
import type { FileRow } from './files.ts';

/** When a thread was resolved, by whom, and at which version of its file: null when there was no file. */
export interface Resolution {
  readonly at: number;
  readonly atVersion: number | null;
  readonly userId: string;
}

/**
 * A comment thread without its text. It belongs to a path, like a privacy record: it waits there while its file is
 * deleted, and goes with the file when that is moved.
 */
export interface ThreadHead extends ActorStamp {
  readonly id: string;
  readonly workspaceId: string;
  /** The seq of the change that began it: the order of threads. */
  readonly seq: number;
  readonly path: WorkspacePath;
  readonly anchor: Anchor;
  /** Where the anchor is in the pinned bytes. */
  readonly pinnedRange: ByteRange;
  readonly pinnedVersion: number;
  readonly pinnedContentHash: ContentHash;
  readonly pinnedSizeBytes: number;
  readonly createdAt: number;
  /** Null while the thread is open. */
  readonly resolution: Resolution | null;
}

/** A thread with what stands at its path now. */
export interface ThreadWithFile extends ThreadHead {
  readonly file: Pick<FileRow, 'version' | 'contentHash' | 'sizeBytes'> | null;
}

/** A reply. `seq` is that of its change: the order of replies. */
export interface EntryRow extends ActorStamp {
  readonly id: string;
  readonly workspaceId: string;
  readonly threadId: string;
  readonly seq: number;
  readonly body: string;
  readonly createdAt: number;
}

/** Null asks for any. */
export interface ThreadFilter {
  readonly path: WorkspacePath | null;
  readonly threadId: string | null;
  readonly status: ThreadStatus | null;
  readonly authorId: string | null;
}

export interface CommentReader {
  /**
   * The threads that match and that the viewer may see, oldest first: how many there are, and the seqs of `limit` of
   * them after the first `offset`.
   */
  scan(
    query: ThreadFilter & {
      readonly workspaceId: string;
      readonly viewer: Viewer;
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<{ readonly total: number; readonly seqs: readonly number[] }>;
  /** Threads by their seqs and in their order, for every caller; those that are not there are left out. */
  heads(workspaceId: string, seqs: readonly number[]): Promise<readonly ThreadWithFile[]>;
  /** Not filtered by privacy, as `heads`. */
  find(workspaceId: string, threadId: string): Promise<ThreadWithFile | null>;
  /** The texts of one thread, its replies oldest first. Null when the viewer may not see it, or it is not there. */
  texts(query: {
    readonly workspaceId: string;
    readonly seq: number;
    readonly viewer: Viewer;
    readonly entriesLimit: number;
    readonly entriesOffset: number;
  }): Promise<ThreadTexts | null>;
  countEntries(threadId: string): Promise<number>;
  /** What this person said in the thread under this key. */
  findEntry(threadId: string, userId: string, dedupeKey: string): Promise<EntryRow | null>;
}

export interface ThreadTexts {
  readonly body: string;
  readonly entries: readonly EntryRow[];
  /** All of them, not only those in `entries`. */
  readonly entryCount: number;
}

export interface CommentWriter {
  insertThread(row: Omit<ThreadHead, 'resolution'> & { readonly body: string }): Promise<void>;
  insertEntry(row: EntryRow & { readonly dedupeKey: string | null }): Promise<void>;
  /** Null opens the thread again. */
  setResolution(threadId: string, resolution: Resolution | null): Promise<void>;
  /** Every thread at `from` is at `to` from now on. */
  moveThreads(workspaceId: string, from: WorkspacePath, to: WorkspacePath): Promise<void>;
}
