import type {
  CommentThread,
  OwnWorkspaceRecord,
  QuotaExceeded,
  routes,
  UnmergedConflict,
} from '@stoa/contract';
import type { RouteReply } from './call.ts';
import { StoaApiError } from './errors.ts';
import type { ByteBody } from './read-response.ts';
import type { ResponseHeaders } from './transport.ts';

/** The writer's knowledge of the path: the version it read, that it is free, or nothing. */
export type Precondition =
  | {
      readonly kind: 'version';
      readonly version: number;
      /** The content hash of that version. Numbers restart after a delete or a move, hashes do not. */
      readonly contentHash?: string;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'none' };

/** A file's bytes as they arrive, and its metadata. Read the body once: by the stream or by `bytes`. */
export interface FileBytes {
  readonly version: number;
  readonly contentType: string;
  /** Lower-case hex SHA-256 of the whole file, or null if the service does not send it. */
  readonly contentHash: string | null;
  /** Null if the response does not say. */
  readonly sizeBytes: number | null;
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Reads the whole body into memory. Throws `StoaConnectionError` if the transfer breaks off, and `StoaApiError` if
   * more than `maxBytes` arrive, whatever length was announced.
   * @param maxBytes 512 MiB by default.
   */
  bytes(maxBytes?: number): Promise<Uint8Array>;
}

/** A file's metadata without its bytes. */
export interface FileFacts extends Pick<FileBytes, 'version' | 'contentType' | 'contentHash'> {
  /** Null if the response does not say. */
  readonly sizeBytes: number | null;
}

export type ReadOutcome =
  | ({ readonly kind: 'file' } & FileBytes)
  /** The version in `unlessVersion` is current. */
  | { readonly kind: 'not_modified' };

/** The workspace is full. Nothing was written. `used*` is the usage before. */
export type QuotaOutcome =
  | { readonly kind: 'quota_exceeded'; readonly usedBytes: number; readonly limitBytes: number }
  | { readonly kind: 'file_count_exceeded'; readonly usedFiles: number; readonly limitFiles: number }
  /** The plan's limit for earlier versions and deleted files is reached. */
  | { readonly kind: 'history_exceeded'; readonly usedBytes: number; readonly limitBytes: number };

export type WriteOutcome =
  | { readonly kind: 'created'; readonly path: string; readonly version: number }
  | { readonly kind: 'updated'; readonly path: string; readonly version: number }
  /**
   * The precondition was stale, but the file already had these bytes, as `version`: nothing was written. If that is
   * the version that this write would have made (its own first attempt may have), the kind is `updated`.
   */
  | { readonly kind: 'unchanged'; readonly path: string; readonly version: number }
  /** The file has changed. Nothing was overwritten: the bytes are kept at `conflictCopyPath`. */
  | { readonly kind: 'conflict'; readonly currentVersion: number; readonly conflictCopyPath: string }
  /** The same with `onConflict: 'refuse'`: the service does not keep the bytes. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  /** The path has a file and the precondition was `none`. Nothing was written. */
  | { readonly kind: 'precondition_required' }
  | QuotaOutcome;

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly path: string; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly path: string;
      readonly version: number;
      readonly restoredFrom: number;
    }
  /** Other writes won repeatedly: the restored bytes are kept at `conflictCopyPath`. */
  | { readonly kind: 'conflict'; readonly currentVersion: number; readonly conflictCopyPath: string }
  | QuotaOutcome;

export type ResolveConflictOutcome =
  /** `path` is the file, which now has the text. */
  | { readonly kind: 'resolved'; readonly path: string; readonly version: number; readonly merged: boolean }
  /** Both changed the same lines. Nothing was changed. */
  | { readonly kind: 'overlapping'; readonly hunks: UnmergedConflict['hunks']; readonly moreHunks: number }
  /** The common base version is unknown or no longer kept. Nothing was changed. */
  | { readonly kind: 'no_base' }
  | QuotaOutcome;

export type CreateWorkspaceOutcome =
  | ({ readonly kind: 'created' } & OwnWorkspaceRecord)
  /** The plan allows no further workspace. */
  | { readonly kind: 'workspace_limit_exceeded'; readonly used: number; readonly limit: number };

export type StartThreadOutcome =
  | { readonly kind: 'created'; readonly thread: CommentThread }
  /** The quote occurs several times: select one by its contexts or by `occurrence`. */
  | {
      readonly kind: 'ambiguous';
      readonly occurrences: number;
      readonly matches: readonly { readonly line: number; readonly excerpt: string }[];
    }
  | { readonly kind: 'not_found' }
  /** The quote is from an older version and cannot be found in the current one. */
  | {
      readonly kind: 'base_version_conflict';
      readonly baseVersion: number;
      readonly currentVersion: number;
      readonly reason: 'quote_changed' | 'base_unavailable';
    };

export function writeOutcome(
  reply: RouteReply<typeof routes.writeFile>,
  precondition: Precondition,
): WriteOutcome {
  switch (reply.status) {
    case 201:
      return { kind: 'created', ...reply.body };
    case 200: {
      // An update of version n makes n + 1, and a creation returns 201. Any other success found the bytes already
      // there.
      const updates = precondition.kind === 'version' && reply.body.version === precondition.version + 1;
      return { kind: updates ? 'updated' : 'unchanged', ...reply.body };
    }
    case 412:
      return 'conflict_copy_path' in reply.body
        ? keptInQuarantine(reply.body)
        : { kind: 'refused', currentVersion: reply.body.current_version };
    case 507:
      return quotaOutcome(reply.body);
  }
}

export function deleteOutcome(reply: RouteReply<typeof routes.deleteFile>): DeleteOutcome {
  switch (reply.status) {
    case 204:
      return { kind: 'deleted' };
    case 412:
      return { kind: 'conflict', currentVersion: reply.body.current_version };
  }
}

export function moveOutcome(reply: RouteReply<typeof routes.moveFile>): MoveOutcome {
  switch (reply.status) {
    case 200:
      return { kind: 'moved', ...reply.body };
    case 412:
      return { kind: 'conflict', currentVersion: reply.body.current_version };
  }
}

export function resolveConflictOutcome(
  reply: RouteReply<typeof routes.resolveConflict>,
): ResolveConflictOutcome {
  switch (reply.status) {
    case 200: {
      const { path, version, merged } = reply.body;
      return { kind: 'resolved', path, version, merged };
    }
    case 409: {
      if (reply.body.error === 'no_base') return { kind: 'no_base' };
      const { hunks, moreHunks } = reply.body;
      return { kind: 'overlapping', hunks, moreHunks };
    }
    case 507:
      return quotaOutcome(reply.body);
  }
}

export function restoreOutcome(reply: RouteReply<typeof routes.restoreFile>): RestoreOutcome {
  switch (reply.status) {
    case 200:
      return { kind: 'restored', ...reply.body };
    case 409:
      return keptInQuarantine(reply.body);
    case 507:
      return quotaOutcome(reply.body);
  }
}

export function createWorkspaceOutcome(
  reply: RouteReply<typeof routes.createWorkspace>,
): CreateWorkspaceOutcome {
  switch (reply.status) {
    case 200:
      return { kind: 'created', ...reply.body };
    case 402:
      return { kind: 'workspace_limit_exceeded', used: reply.body.used, limit: reply.body.limit };
  }
}

export function startThreadOutcome(reply: RouteReply<typeof routes.startThread>): StartThreadOutcome {
  if (reply.status === 201) return { kind: 'created', thread: reply.body.thread };
  const { body } = reply;
  switch (body.error) {
    case 'anchor_ambiguous':
      return { kind: 'ambiguous', occurrences: body.occurrences, matches: body.matches };
    case 'anchor_not_found':
      return { kind: 'not_found' };
    case 'base_version_conflict': {
      const { baseVersion, currentVersion, reason } = body;
      return { kind: 'base_version_conflict', baseVersion, currentVersion, reason };
    }
  }
}

/**
 * @throws StoaApiError if the response does not name the version, because a write based on it could overwrite
 * anything
 */
export function fileBytes(reply: {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: ByteBody;
}): FileBytes {
  const { body, headers } = reply;
  const { sizeBytes, ...facts } = fileFacts(reply);
  // The length of a compressed body is not the file's.
  const isPacked = headers.has('Content-Encoding');
  return { ...facts, sizeBytes: isPacked ? null : sizeBytes, body: body.stream, bytes: body.bytes };
}

/** @throws StoaApiError as `fileBytes` */
export function fileFacts({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: ResponseHeaders;
}): FileFacts {
  // A proxy may weaken or remove the ETag, and not every response has the other header.
  const version =
    headers.get('X-Service-Version') ?? /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1] ?? '';
  if (!/^[1-9]\d*$/.test(version)) {
    throw new StoaApiError("The response does not name the file's version", { status });
  }
  const size = /^\d{1,15}$/.exec(headers.get('Content-Length') ?? '');
  return {
    version: Number(version),
    contentType: contentTypeOf(headers),
    contentHash: headers.get('X-Service-Content-Hash'),
    sizeBytes: size === null ? null : Number(size[0]),
  };
}

export function contentTypeOf(headers: ResponseHeaders): string {
  return headers.get('Content-Type') ?? 'application/octet-stream';
}

function keptInQuarantine(body: { readonly current_version: number; readonly conflict_copy_path: string }) {
  return {
    kind: 'conflict',
    currentVersion: body.current_version,
    conflictCopyPath: body.conflict_copy_path,
  } as const;
}

function quotaOutcome(body: QuotaExceeded): QuotaOutcome {
  switch (body.error) {
    case 'quota_exceeded':
    case 'history_exceeded':
      return { kind: body.error, usedBytes: body.used_bytes, limitBytes: body.limit_bytes };
    case 'file_count_exceeded':
      return { kind: 'file_count_exceeded', usedFiles: body.used_files, limitFiles: body.limit_files };
  }
}
