import { StoaApiError, type StoaClient } from '@stoa/client';
import { isContentHash, type KnownVersion, type WorkspacePath } from '@stoa/core';
import type {
  ListedFile,
  MoveOutcome,
  RejectedPath,
  RemoteWorkspace,
} from '../engine/ports/remote-workspace.ts';
import { announcedBy, download } from './download.ts';
import { type IdleLimit, limitIdle } from './idle-limit.ts';
import { readFeedPage } from './read-feed.ts';
import { notStoa, remoteFailureOf } from './remote-failures.ts';
import { readRemotePath } from './remote-paths.ts';
import { upload } from './upload.ts';

/** Opens a workspace on a server through the client's requests. */
export function openRemoteWorkspace(options: {
  readonly client: StoaClient;
  readonly workspaceId: string;
  /** Called for each chunk sent or received. Negative if a transfer starts over. */
  readonly onBytes?: (path: WorkspacePath, bytes: number) => void;
}): RemoteWorkspace {
  const { client, workspaceId, onBytes = () => {} } = options;

  /** Converts the client's errors to the port's. An aborted request throws the signal's reason. */
  const attempt = async <Result>(
    signal: AbortSignal | undefined,
    act: (options: { readonly signal?: AbortSignal }) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await act(signal === undefined ? {} : { signal });
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw remoteFailureOf(error);
    }
  };
  /** Handles the 404 of a file, after checking that the workspace still exists. */
  const orNotFound = async <Result, Missing>(
    act: () => Promise<Result>,
    missing: Missing,
  ): Promise<Result | Missing> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StoaApiError) || error.status !== 404) throw error;
      await requireWorkspace();
      return missing;
    }
  };
  const requireWorkspace = async () => {
    try {
      return await client.readWorkspace(workspaceId);
    } catch (error) {
      if (!(error instanceof StoaApiError) || error.status !== 404) throw error;
      throw remoteFailureOf(new StoaApiError(error.message, { status: 403, data: error.data }));
    }
  };
  const notFound = { kind: 'not_found' } as const;

  return {
    readFacts: (signal) =>
      attempt(signal, async (each) => {
        const usage = await orWorkspaceGone(() => client.usage(workspaceId, each));
        return {
          workspaceId,
          isReadOnly: usage.billing.status === 'lapsed',
          usedBytes: usage.usedBytes,
          limitBytes: usage.limitBytes,
          usedFiles: usage.usedFiles,
          limitFiles: usage.limitFiles,
          maxFileBytes: usage.maxFileBytes,
        };
      }),

    readChanges: ({ cursor, limit, waitSeconds }, signal) =>
      attempt(signal, async (each) => {
        const query = {
          sinceSeq: cursor,
          limit,
          ...(waitSeconds === null ? {} : { waitSeconds }),
        };
        return readFeedPage(
          await orWorkspaceGone(() => client.readChanges(workspaceId, query, each)),
          cursor,
        );
      }),

    list: (prefix, signal) =>
      attempt(signal, async (each) => {
        const { entries } = await orWorkspaceGone(() =>
          client.list(workspaceId, { ...each, details: true, ...(prefix === '' ? {} : { prefix }) }),
        );
        if (!Array.isArray(entries)) throw notStoa('The response is not a list of files');
        const files: ListedFile[] = [];
        const rejected: RejectedPath[] = [];
        for (const entry of entries) {
          const path = readRemotePath(entry.path);
          if (typeof path !== 'string') {
            rejected.push(path);
            continue;
          }
          const { version, size, contentType } = entry;
          // An older server has no hashes in its lists.
          const hash: unknown = entry.contentHash;
          files.push({
            path,
            version,
            hash: typeof hash === 'string' && isContentHash(hash) ? hash : null,
            sizeBytes: size,
            contentType,
          });
        }
        return { files, rejected };
      }),

    head: (path, signal) =>
      attempt(signal, (each) =>
        orNotFound(async () => {
          const input = { params: { workspaceId, path } };
          const { headers } = await client.call({ id: 'headFile' }, input, each);
          const sizeBytes = Number(headers.get('Content-Length') ?? '');
          return { kind: 'file' as const, ...announcedBy(headers), sizeBytes };
        }, notFound),
      ),

    listVersions: (path, signal) =>
      attempt(signal, (each) =>
        orNotFound(async () => {
          const { versions } = await client.listVersions(workspaceId, path, each);
          return versions.flatMap(({ version, contentHash }): KnownVersion[] =>
            isContentHash(contentHash) ? [{ version, hash: contentHash }] : [],
          );
        }, []),
      ),

    readContent: (path, { version, hash }, maxBytes, signal) =>
      attempt(signal, () =>
        orNotFound(async () => {
          const limit = limitIdle(signal);
          try {
            const wanted = { signal: limit.signal, contentHash: hash };
            const { body } = await client.readVersion(workspaceId, path, version, wanted);
            const bytes = await readBounded(body, maxBytes, limit);
            return bytes !== null && (await hashOf(bytes)) === hash ? bytes : null;
          } finally {
            limit.end();
          }
        }, null),
      ),

    download: (path, sink, signal) =>
      attempt(signal, () =>
        orNotFound(() => download({ client, workspaceId, onBytes }, path, sink, signal), notFound),
      ),

    put: (request, signal) =>
      attempt(signal, async () => {
        const outcome = await upload({ client, workspaceId, onBytes }, request, signal);
        if (outcome.kind === 'hidden_by_private') await requireWorkspace();
        return outcome;
      }),

    delete: (path, { version, hash }, signal) =>
      attempt(signal, (each) =>
        orNotFound(async () => {
          const { kind } = await client.deleteFile(workspaceId, path, version, {
            ...each,
            contentHash: hash,
          });
          return { kind: kind === 'deleted' ? kind : 'stale' } as const;
        }, notFound),
      ),

    move: (from, to, { version, hash }, signal) =>
      attempt(signal, (each) =>
        orNotFound(async (): Promise<MoveOutcome> => {
          try {
            const body = { from, to, baseVersion: version, baseContentHash: hash };
            const outcome = await client.move(workspaceId, body, each);
            return outcome.kind === 'moved' ? { kind: 'moved', version: outcome.version } : { kind: 'stale' };
          } catch (error) {
            return rejectedMove(error);
          }
        }, notFound),
      ),

    moveFolder: (from, to, signal) =>
      attempt(signal, async (each) => {
        await orWorkspaceGone(() => client.moveFolder(workspaceId, { from, to }, each));
      }),
  };

  /** For routes of the whole workspace. Their 404 means the workspace itself. */
  async function orWorkspaceGone<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StoaApiError) || error.status !== 404) throw error;
      await requireWorkspace();
      throw error;
    }
  }
}

function rejectedMove(error: unknown): MoveOutcome {
  if (!(error instanceof StoaApiError)) throw error;
  switch (error.status) {
    case 400:
      if (/precondition/i.test(error.message)) throw error;
      return { kind: 'name_refused', detail: error.message };
    case 409:
      return { kind: /destination/i.test(error.message) ? 'destination_exists' : 'path_taken' };
    default:
      throw error;
  }
}

/** Null above `maxBytes`. */
async function readBounded(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  limit: IdleLimit,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    limit.moved();
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, sizeBytes));
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
