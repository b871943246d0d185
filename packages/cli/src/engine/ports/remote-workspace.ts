import type { ChangeOp, ContentHash, KnownVersion, RemotePresumed, WorkspacePath } from '@stoa/core';
import type { DownloadSink, OutgoingContent } from './content.ts';

/**
 * The workspace on the server, one request for each call, nothing tried again by itself but for a download that breaks
 * off. What the interface describes as data is a returned outcome. A `signal` ends the request, and throws its reason.
 *
 * @throws RemoteFailure for everything else: see its kinds. A failure of a write does not tell whether it was done.
 */
export interface RemoteWorkspace {
  readFacts(signal?: AbortSignal): Promise<WorkspaceFacts>;
  /**
   * One page after the cursor. `limit` 0 reads `head` alone. Comments are not told. `waitSeconds` lets the server hold
   * the request while there is nothing new.
   */
  readChanges(
    query: { readonly cursor: number; readonly limit: number; readonly waitSeconds: number | null },
    signal?: AbortSignal,
  ): Promise<FeedPage>;
  /** All files at and below a path, or of the whole workspace. Hashes are null from a server that does not tell them. */
  list(prefix: WorkspacePath | '', signal?: AbortSignal): Promise<RemoteListing>;
  /** What is there now. */
  head(path: WorkspacePath, signal?: AbortSignal): Promise<RemoteHead | { readonly kind: 'not_found' }>;
  /** Newest first; empty where there never was a file. */
  listVersions(path: WorkspacePath, signal?: AbortSignal): Promise<readonly KnownVersion[]>;
  /** A stored content whole, for merging; null where it is not kept or is larger. Its hash was checked. */
  readContent(
    path: WorkspacePath,
    wanted: { readonly version: number; readonly hash: ContentHash },
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | null>;

  /**
   * Fetches what the server has there now, whichever that is: the reply names it. The bytes have the hash that came with
   * them, or it fails. Broken off, it goes on where it was, `transferTriesMax` times in all.
   */
  download(path: WorkspacePath, sink: DownloadSink, signal?: AbortSignal): Promise<DownloadOutcome>;
  /** Never sent without its precondition. An empty content goes another way, unseen from here. */
  put(request: PutRequest, signal?: AbortSignal): Promise<PutOutcome>;
  delete(
    path: WorkspacePath,
    presumed: RemotePresumed & { readonly kind: 'file' },
    signal?: AbortSignal,
  ): Promise<DeleteOutcome>;
  move(
    from: WorkspacePath,
    to: WorkspacePath,
    presumed: RemotePresumed & { readonly kind: 'file' },
    signal?: AbortSignal,
  ): Promise<MoveOutcome>;
  /** Takes along what belongs to the folder itself, once its files are moved. May be repeated. */
  moveFolder(from: WorkspacePath, to: WorkspacePath, signal?: AbortSignal): Promise<void>;
}

export interface WorkspaceFacts {
  readonly workspaceId: string;
  /** Why nothing new can be written, if so. */
  readonly isReadOnly: boolean;
  readonly usedBytes: number;
  readonly limitBytes: number | null;
  readonly usedFiles: number;
  readonly limitFiles: number | null;
  readonly maxFileBytes: number;
}

/** Requested at one moment: what it says was true then or later. */
export interface FeedPage {
  /** Oldest first. */
  readonly records: readonly FeedRecord[];
  /** Records of paths that cannot be: they are passed over, and shown. */
  readonly refused: readonly RefusedPath[];
  readonly head: number;
  /** The cursor of the next page; equal to `head` when caught up, and above it when the server went back in time. */
  readonly nextSeq: number;
}

export interface FeedRecord {
  readonly seq: number;
  readonly id: string;
  readonly path: WorkspacePath;
  readonly op: Exclude<ChangeOp, `comment_${string}`>;
  readonly version: number | null;
  readonly hash: ContentHash | null;
  /** Null for a browser session. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly movedFrom: WorkspacePath | null;
  readonly conflictOf: WorkspacePath | null;
}

export interface RemoteListing {
  readonly files: readonly ListedFile[];
  readonly refused: readonly RefusedPath[];
}

export interface ListedFile {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly hash: ContentHash | null;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A path as the server spells it, which is none: shown as `hostile_name`, and never used. */
export interface RefusedPath {
  readonly path: string;
  readonly detail: string;
}

export interface RemoteHead {
  readonly kind: 'file';
  readonly version: number;
  readonly hash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}

export type DownloadOutcome =
  | (RemoteHead & { readonly kind: 'file' })
  /** Nothing follows from it (S3): the feed will say. */
  | { readonly kind: 'not_found' }
  /** The server has lost the bytes. */
  | { readonly kind: 'bytes_missing' }
  /** Broken off too often, or other bytes than were announced. */
  | { readonly kind: 'transfer_failed'; readonly detail: string };

export interface PutRequest {
  readonly path: WorkspacePath;
  readonly content: OutgoingContent;
  readonly presumed: RemotePresumed;
  /** Null: what the extension stands for. */
  readonly contentType: string | null;
}

export type PutOutcome =
  /** `isUnchanged`: the same bytes were there already, which makes no record in the feed. */
  | { readonly kind: 'stored'; readonly version: number; readonly isUnchanged: boolean }
  /** Something else is there. The bytes are kept at `copyPath`. */
  | { readonly kind: 'conflict'; readonly copyPath: WorkspacePath }
  /** Another member's private item is there. */
  | { readonly kind: 'hidden_by_private' }
  /** A folder is where the file would be, or a file where its folder would be. */
  | { readonly kind: 'path_taken' }
  | { readonly kind: 'name_refused'; readonly detail: string }
  | { readonly kind: 'too_large'; readonly detail: string }
  | { readonly kind: 'read_only' }
  | { readonly kind: 'quota'; readonly detail: string }
  | { readonly kind: 'file_count'; readonly detail: string }
  /** The file here was written meanwhile: nothing was kept. */
  | { readonly kind: 'changed' };

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'not_found' }
  /** Something else is there. Nothing was deleted. */
  | { readonly kind: 'stale' };

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly version: number }
  /** Of the source. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'destination_exists' }
  | { readonly kind: 'path_taken' }
  | { readonly kind: 'name_refused'; readonly detail: string };

export type RemoteFailureKind =
  /** 408, 429, 5xx, no answer: the same request may succeed later, and if it was done already that does no harm. */
  | 'passing'
  /** 401, 403, the workspace is gone: nothing can be done with this credential. */
  | 'stopped'
  /** A redirect, or what answers is no Stoa: the address has to be looked at. */
  | 'not_stoa'
  /** The server refuses a request that should not have been made: a bug, here or there. Plan again. */
  | 'refused';

export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly kind: RemoteFailureKind;
  /** How long the server asks to be left alone. */
  readonly retryAfterSeconds: number | null;
  /** The HTTP status; null where no answer came. */
  readonly status: number | null;

  /** `message` is the server's sentence, or what was wrong, for people. */
  constructor(
    kind: RemoteFailureKind,
    message: string,
    facts: {
      readonly status?: number;
      readonly retryAfterSeconds?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}
