import type { FileList, VersionConflict, WriteConflict, WrittenFile } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { encodePath } from './encode-path.ts';
import { type FileBytes, fileBytesOf } from './file-bytes.ts';
import { type QuotaOutcome, readQuotaOutcome } from './quota-outcome.ts';
import { readApiError, readJson, readOutcome } from './read-json.ts';
import type { CallOptions, FileContent, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** What the writer knows of the path: the version it read, that nothing is there, or nothing at all. */
export type Precondition =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'none' };

export type ReadOutcome =
  | ({ readonly kind: 'file' } & FileBytes)
  /** The version in `unlessVersion` is current. */
  | { readonly kind: 'not_modified' };

/** `updated` also when the same bytes were there already: `version` is then the one they have. */
export type WriteOutcome =
  | { readonly kind: 'created'; readonly path: string; readonly version: number }
  | { readonly kind: 'updated'; readonly path: string; readonly version: number }
  /** The file has changed since. Nothing was overwritten: the bytes are kept at `conflictCopyPath`. */
  | { readonly kind: 'conflict'; readonly currentVersion: number; readonly conflictCopyPath: string }
  /** A file is there and the precondition was `none`. Nothing was written. */
  | { readonly kind: 'precondition_required' }
  | QuotaOutcome;

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly path: string; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

/** Specification: Endpoints, Files. Refusals throw `StoaApiError`. */
export interface FileCalls {
  readFile(
    workspaceId: string,
    path: string,
    options?: CallOptions & {
      readonly unlessVersion?: number;
      /** Bytes from `start` up to and without `end`. */
      readonly range?: { readonly start: number; readonly end: number };
    },
  ): Promise<ReadOutcome>;
  writeFile(
    workspaceId: string,
    path: string,
    content: FileContent,
    precondition: Precondition,
    options?: CallOptions & { readonly contentType?: string },
  ): Promise<WriteOutcome>;
  deleteFile(
    workspaceId: string,
    path: string,
    version: number,
    options?: CallOptions,
  ): Promise<DeleteOutcome>;
  list(workspaceId: string, options?: CallOptions & { readonly prefix?: string }): Promise<FileList>;
  move(
    workspaceId: string,
    move: { readonly from: string; readonly to: string; readonly baseVersion?: number },
    options?: CallOptions,
  ): Promise<MoveOutcome>;
}

export function fileCalls(transport: Transport): FileCalls {
  return {
    readFile: async (workspaceId, path, { unlessVersion, range, ...options } = {}) => {
      const headers = {
        ...(unlessVersion === undefined ? {} : { 'If-None-Match': `"${unlessVersion}"` }),
        ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }),
      };
      return transport(
        { method: 'GET', path: fileUrl(workspaceId, path), headers, ...options },
        async (response) => {
          if (response.status === 304) return { kind: 'not_modified' };
          if (response.status !== 200 && response.status !== 206) throw await readApiError(response);
          return { kind: 'file', ...fileBytesOf(response) };
        },
      );
    },

    writeFile: async (workspaceId, path, bytes, precondition, { contentType, ...options } = {}) => {
      const headers = {
        ...preconditionHeaders(precondition),
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      };
      return transport(
        {
          method: 'PUT',
          path: fileUrl(workspaceId, path),
          headers,
          body: { kind: 'bytes', bytes },
          ...options,
        },
        writeOutcomeOf,
      );
    },

    deleteFile: async (workspaceId, path, version, options = {}) =>
      transport(
        {
          method: 'DELETE',
          path: fileUrl(workspaceId, path),
          headers: { 'If-Match': `"${version}"` },
          ...options,
        },
        async (response) => {
          if (response.status === 204) return { kind: 'deleted' };
          return await versionConflictOf(response);
        },
      ),

    list: async (workspaceId, { prefix, ...options } = {}) =>
      answerOf<FileList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'list'),
        query: { prefix },
        ...options,
      }),

    move: async (workspaceId, value, options = {}) =>
      transport(
        {
          method: 'POST',
          path: workspaceUrl(workspaceId, 'move'),
          body: { kind: 'json', value },
          ...options,
        },
        async (response) => {
          if (response.status !== 200) return await versionConflictOf(response);
          return { kind: 'moved', ...(await readJson<WrittenFile>(response)) };
        },
      ),
  };
}

async function writeOutcomeOf(response: Response): Promise<WriteOutcome> {
  switch (response.status) {
    case 200:
      return { kind: 'updated', ...(await readJson<WrittenFile>(response)) };
    case 201:
      return { kind: 'created', ...(await readJson<WrittenFile>(response)) };
    case 412: {
      const { current_version, conflict_copy_path } = await readOutcome<WriteConflict>(response, [
        'version_conflict',
      ]);
      return { kind: 'conflict', currentVersion: current_version, conflictCopyPath: conflict_copy_path };
    }
    case 428:
      await response.body?.cancel();
      return { kind: 'precondition_required' };
    case 507:
      return readQuotaOutcome(response);
    default:
      throw await readApiError(response);
  }
}

async function versionConflictOf(
  response: Response,
): Promise<{ readonly kind: 'conflict'; readonly currentVersion: number }> {
  if (response.status !== 412) throw await readApiError(response);
  const { current_version } = await readOutcome<VersionConflict>(response, ['version_conflict']);
  return { kind: 'conflict', currentVersion: current_version };
}

function preconditionHeaders(precondition: Precondition): Readonly<Record<string, string>> {
  switch (precondition.kind) {
    case 'version':
      return { 'If-Match': `"${precondition.version}"` };
    case 'absent':
      return { 'If-None-Match': '*' };
    case 'none':
      return {};
  }
}

function fileUrl(workspaceId: string, path: string): string {
  return workspaceUrl(workspaceId, `files/${encodePath(path)}`);
}
