import type { ChangeOp, ContentHash, KnownVersion, RemotePresumed, WorkspacePath } from '@stoa/core';
import type { DownloadSink, OutgoingContent } from './content.ts';

/**
 * The workspace on the server. Each call makes one request. Nothing is retried, except for a download that breaks off.
 * Outcomes that the interface describes as data are returned. A `signal` aborts the request and throws its reason.
 *
 * @throws RemoteFailure for everything else, see its kinds. A failed write may or may not have been applied.
 */
export interface RemoteWorkspace {
  readFacts(signal?: AbortSignal): Promise<WorkspaceFacts>;
  /**
   * Reads one page after the cursor. `limit` 0 reads `head` alone. Comments are omitted. With `waitSeconds` the server
   * may hold the request while there is nothing new.
   */
  readChanges(
    query: { readonly cursor: number; readonly limit: number; readonly waitSeconds: number | null },
    signal?: AbortSignal,
  ): Promise<FeedPage>;
  /** All files at and below a path, or in the whole workspace. Hashes are null if the server does not return them. */
  list(prefix: WorkspacePath | '', signal?: AbortSignal): Promise<RemoteListing>;
  /** The current file at a path. */
  head(path: WorkspacePath, signal?: AbortSignal): Promise<RemoteHead | { readonly kind: 'not_found' }>;
  /** Newest first; empty if there never was a file. */
  listVersions(path: WorkspacePath, signal?: AbortSignal): Promise<readonly KnownVersion[]>;
  /**
   * Reads a whole stored version for merging and checks its hash. Null if the version is not kept or is larger than
   * `maxBytes`.
   */
  readContent(
    path: WorkspacePath,
    wanted: { readonly version: number; readonly hash: ContentHash },
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | null>;

  /**
   * Downloads the current content, whichever it is; the result names its version. Fails unless the bytes match the hash
   * sent with them. Resumes if it breaks off, up to `transferTriesMax` attempts in all.
   */
  download(path: WorkspacePath, sink: DownloadSink, signal?: AbortSignal): Promise<DownloadOutcome>;
  /** Never sent without its precondition. */
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
  /** Moves the data of the folder itself after its files were moved. May be repeated. */
  moveFolder(from: WorkspacePath, to: WorkspacePath, signal?: AbortSignal): Promise<void>;
}

export interface WorkspaceFacts {
  readonly workspaceId: string;
  /** Whether the workspace rejects new content. */
  readonly isReadOnly: boolean;
  readonly usedBytes: number;
  readonly limitBytes: number | null;
  readonly usedFiles: number;
  readonly limitFiles: number | null;
  readonly maxFileBytes: number;
}

/** The page was requested at one moment. Its statements were true then or later. */
export interface FeedPage {
  /** Oldest first. */
  readonly records: readonly FeedRecord[];
  /** Records with impossible paths. They are skipped and shown. */
  readonly rejected: readonly RejectedPath[];
  readonly head: number;
  /**
   * Cursor of the next page. Equal to `head` when caught up; above it if the server was restored to an earlier state.
   */
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
  readonly rejected: readonly RejectedPath[];
}

export interface ListedFile {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly hash: ContentHash | null;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** An invalid path, as the server spells it. It is shown as `hostile_name` and never used. */
export interface RejectedPath {
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
  /** Nothing follows from it (S3). The feed decides. */
  | { readonly kind: 'not_found' }
  /** The server has lost the bytes. */
  | { readonly kind: 'bytes_missing' }
  /** It broke off too often, or the bytes were not those announced. */
  | { readonly kind: 'transfer_failed'; readonly detail: string };

export interface PutRequest {
  readonly path: WorkspacePath;
  readonly content: OutgoingContent;
  readonly presumed: RemotePresumed;
  /** Null: derived from the file extension. */
  readonly contentType: string | null;
}

export type PutOutcome =
  /** `isUnchanged`: the same bytes were already there, so the feed has no record. */
  | { readonly kind: 'stored'; readonly version: number; readonly isUnchanged: boolean }
  /** The path has other content. The bytes are kept at `copyPath`. */
  | { readonly kind: 'conflict'; readonly copyPath: WorkspacePath }
  /** Another member's private item occupies the path. */
  | { readonly kind: 'hidden_by_private' }
  /** A folder is at the path of the file, or a file at the path of its folder. */
  | { readonly kind: 'path_taken' }
  | { readonly kind: 'name_refused'; readonly detail: string }
  | { readonly kind: 'too_large'; readonly detail: string }
  | { readonly kind: 'read_only' }
  | { readonly kind: 'quota'; readonly detail: string }
  | { readonly kind: 'file_count'; readonly detail: string }
  /** The local file was written during the upload. Nothing was stored. */
  | { readonly kind: 'changed' };

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'not_found' }
  /** The path has another version. Nothing was deleted. */
  | { readonly kind: 'stale' };

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly version: number }
  /** The source was not found. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'destination_exists' }
  | { readonly kind: 'path_taken' }
  | { readonly kind: 'name_refused'; readonly detail: string };

export type RemoteFailureKind =
  /** 408, 429, 5xx or no response. The same request may succeed later. Repeating it is harmless. */
  | 'passing'
  /** 401, 403, or the workspace is gone. Nothing works with this credential. */
  | 'stopped'
  /** A redirect, or the responding server is not Stoa. The user must check the address. */
  | 'not_stoa'
  /** The server rejects a request that should not have been sent: a bug on either side. Plan again. */
  | 'refused';

export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly kind: RemoteFailureKind;
  /** Delay that the server asks for. */
  readonly retryAfterSeconds: number | null;
  /** The HTTP status; null without a response. */
  readonly status: number | null;

  /** `message` is for users: the server's message, or the cause of the failure. */
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
