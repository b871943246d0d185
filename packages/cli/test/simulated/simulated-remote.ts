import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import { ContentChangedError } from '../../src/engine/ports/content.ts';
import type { Pace } from '../../src/engine/ports/pace.ts';
import {
  type PutOutcome,
  RemoteFailure,
  type RemoteHead,
  type RemoteWorkspace,
} from '../../src/engine/ports/remote-workspace.ts';
import type { ServedWrite, SimulatedKey, SimulatedServer, StoredFile } from './simulated-server.ts';

/** The fault of one request. */
export type NetworkFault =
  | 'none'
  /** The request never reaches the server. */
  | 'lost'
  /** The server performs the request, but the response is lost. */
  | 'answer_lost'
  /** The server responds with 503. */
  | 'busy'
  /** `broken` responds with 500, `slow_down` with 429. */
  | 'broken'
  | 'slow_down'
  /** Cuts a download in the middle and then resumes it. */
  | 'cut';

export interface SimulatedRemoteOptions {
  readonly server: SimulatedServer;
  readonly key: SimulatedKey;
  readonly pace: Pick<Pace, 'sleep'>;
  /** Awaited before the request reaches the server and before its response arrives. */
  readonly step: (name: string) => Promise<void>;
  readonly fault?: (request: string, path: WorkspacePath | null) => NetworkFault;
  /** Limits how many changes the next page of the feed scans; null keeps the limit of the request. */
  readonly pageMax?: () => number | null;
  /** Returns why the server rejects this credential, or null. */
  readonly stopped?: () => string | null;
}

/** Connects a member to a simulated server. It passes the same suite as the real one. */
export function createSimulatedRemote(options: SimulatedRemoteOptions): RemoteWorkspace {
  const { server, key, pace, step: round, fault = () => 'none' } = options;
  const { pageMax = () => null, stopped = () => null } = options;
  const { userId } = key;
  server.addMember(userId);

  const request = async <Result>(
    name: string,
    path: WorkspacePath | null,
    signal: AbortSignal | undefined,
    act: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const fate = fault(name, path);
    await round(`${name}: sent`);
    signal?.throwIfAborted();
    const why = stopped();
    if (why !== null) throw new RemoteFailure('stopped', why, { status: 401 });
    if (fate === 'lost') throw new RemoteFailure('passing', 'not reached');
    if (fate === 'busy') {
      throw new RemoteFailure('passing', 'busy', { status: 503, retryAfterSeconds: 1 });
    }
    if (fate === 'broken') throw new RemoteFailure('passing', 'broken', { status: 500 });
    if (fate === 'slow_down') {
      throw new RemoteFailure('passing', 'too many', { status: 429, retryAfterSeconds: 5 });
    }
    const result = await act();
    await round(`${name}: answered`);
    signal?.throwIfAborted();
    if (fate === 'answer_lost') throw new RemoteFailure('passing', 'broken off');
    return result;
  };
  const headOf = ({ version, contentHash, sizeBytes, contentType }: StoredFile): RemoteHead => ({
    kind: 'file',
    version,
    hash: contentHash,
    sizeBytes,
    contentType,
  });
  const notFound = { kind: 'not_found' } as const;
  const seen = ({ version, hash }: { readonly version: number; readonly hash: RemoteHead['hash'] }) => ({
    version,
    contentHash: hash,
  });

  return {
    readFacts: (signal) =>
      request('facts', null, signal, () => ({
        workspaceId: 'ws_1',
        isReadOnly: server.limits.isReadOnly,
        usedBytes: server.usage().usedBytes,
        limitBytes: server.limits.storageBytes,
        usedFiles: server.usage().usedFiles,
        limitFiles: server.limits.files,
        maxFileBytes: server.limits.maxFileBytes,
      })),

    readChanges: ({ cursor, limit, waitSeconds }, signal) =>
      request('changes', null, signal, async () => {
        if (waitSeconds !== null && limit > 0) await hold(cursor, waitSeconds * 1000, signal);
        const scanned = limit === 0 ? 0 : Math.min(limit, pageMax() ?? limit);
        const { changes, head, nextSeq } = server.readChanges(userId, cursor, scanned);
        return {
          records: changes.map(({ contentHash, ...change }) => ({
            seq: change.seq,
            id: change.id,
            path: change.path,
            op: change.op,
            version: change.version,
            hash: contentHash,
            keyId: change.keyId,
            keyName: change.keyName,
            movedFrom: change.movedFrom,
            conflictOf: change.conflictOf,
          })),
          rejected: [],
          head,
          nextSeq,
        };
      }),

    list: (prefix, signal) =>
      request('list', null, signal, () => ({
        files: [...server.filesFor(userId)]
          .filter(([path]) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`))
          .map(([path, file]) => {
            const { kind: _kind, ...facts } = headOf(file);
            return { path, ...facts };
          }),
        rejected: [],
      })),

    head: (path, signal) =>
      request('head', path, signal, () => {
        const file = server.find(path, userId);
        return file === null ? notFound : headOf(file);
      }),
    listVersions: (path, signal) =>
      request('versions', path, signal, () =>
        server.listVersions(path, userId).map(({ version, hash }) => ({ version, hash })),
      ),
    readContent: (path, wanted, maxBytes, signal) =>
      request('content', path, signal, () => {
        const kept = server.listVersions(path, userId).find(({ hash }) => hash === wanted.hash);
        return kept === undefined || kept.bytes.length > maxBytes ? null : kept.bytes.slice();
      }),

    async download(path, sink, signal) {
      const fate = fault('download', path);
      const file = await request('get', path, signal, () => server.find(path, userId));
      if (file === null) return notFound;
      if (server.damaged.has(path)) return { kind: 'bytes_missing' };
      await sink.restart();
      if (fate === 'cut' && file.bytes.length > 1) {
        await sink.append(file.bytes.slice(0, file.bytes.length >> 1));
        await round('download: cut');
        // The second half belongs to the first content. If the file has changed, the download restarts.
        const now = await request('get', path, signal, () => server.find(path, userId));
        if (now === null) return notFound;
        if (now.contentHash !== file.contentHash) {
          await sink.restart();
          await sink.append(now.bytes);
          return headOf(now);
        }
        await sink.append(file.bytes.slice(file.bytes.length >> 1));
        return headOf(file);
      }
      await sink.append(file.bytes);
      return headOf(file);
    },

    async put({ path, content, presumed, contentType }, signal) {
      let bytes: Uint8Array<ArrayBuffer>;
      if (content.kind === 'bytes') bytes = content.bytes.slice();
      else {
        try {
          // Like a sent body, the stream can be read only once. A retry has to open the file again.
          const chunks = content.stream.values({ preventCancel: true });
          bytes = new Uint8Array(Buffer.concat(await Array.fromAsync(chunks)));
          content.stream.getReader();
        } catch (error) {
          if (error instanceof ContentChangedError) return { kind: 'changed' };
          throw error;
        }
      }
      return request('put', path, signal, () => {
        const precondition =
          presumed.kind === 'absent'
            ? ({ kind: 'absent' } as const)
            : ({ kind: 'version', ...seen(presumed) } as const);
        try {
          return putOutcome(server.write(key, path, bytes, precondition, contentType));
        } catch (error) {
          return rejectedPut(error);
        }
      });
    },

    delete: (path, presumed, signal) =>
      request('delete', path, signal, () => {
        const kind = server.delete(key, path, seen(presumed));
        return kind === null ? notFound : { kind };
      }),
    move: (from, to, presumed, signal) =>
      request('move', from, signal, () => {
        try {
          const kind = server.move(key, from, to, seen(presumed));
          if (kind === null) return notFound;
          return kind === 'moved' ? { kind, version: 1 } : { kind };
        } catch (error) {
          if (error instanceof WorkspaceError) {
            if (error.code === 'destination_exists' || error.code === 'path_taken')
              return { kind: error.code };
            if (error.code === 'file_not_found') return notFound;
          }
          throw error;
        }
      }),
    moveFolder: (_from, _to, signal) => request('move folder', null, signal, () => {}),
  };

  async function hold(cursor: number, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (server.head > cursor) return;
    const woken = new AbortController();
    const wake = () => woken.abort();
    const unlisten = server.listen(wake);
    signal?.addEventListener('abort', wake);
    await pace.sleep(waitMs, woken.signal);
    signal?.removeEventListener('abort', wake);
    unlisten();
  }
}

function putOutcome(outcome: ServedWrite): PutOutcome {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return { kind: 'stored', version: outcome.version, isUnchanged: outcome.kind === 'unchanged' };
    case 'conflict':
      return outcome;
    case 'quota_exceeded':
      return { kind: 'quota', detail: outcome.kind };
    case 'file_count_exceeded':
      return { kind: 'file_count', detail: outcome.kind };
  }
}

function rejectedPut(error: unknown): PutOutcome {
  if (!(error instanceof WorkspaceError)) throw error;
  switch (error.code) {
    case 'workspace_read_only':
      return { kind: 'read_only' };
    case 'file_not_found':
      return { kind: 'hidden_by_private' };
    case 'path_taken':
      return { kind: 'path_taken' };
    case 'invalid_path':
      return { kind: 'name_refused', detail: error.message };
    case 'file_too_large':
      return { kind: 'too_large', detail: 'played' };
    default:
      throw error;
  }
}
