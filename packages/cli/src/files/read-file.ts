import { createHash } from 'node:crypto';
import { type FileBytes, StoaApiError, StoaConnectionError } from '@stoa/client';
import type { WorkspacePath } from '@stoa/core';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { limitSilence } from './limit-silence.ts';
import type { Workspace } from './workspace.ts';

/** The current file at a path, for a change that must apply to this state only. */
export interface CurrentFile {
  readonly version: number;
  /** Missing if a proxy removed it. */
  readonly contentHash?: string;
}

/** Null if there is no file. */
export async function findFile(
  { client, workspaceId, signal }: Workspace,
  path: WorkspacePath,
): Promise<CurrentFile | null> {
  try {
    const { version, contentHash } = await client.headFile(workspaceId, path, { signal });
    return contentHash === null ? { version } : { version, contentHash };
  } catch (error) {
    if (!(error instanceof StoaApiError) || error.status !== 404) throw error;
    // The response to HEAD has no body to say what is missing. This request shows whether it is the workspace.
    await client.readWorkspace(workspaceId, { signal });
    return null;
  }
}

/** @throws Failure `not_found` */
export async function requireFile(workspace: Workspace, path: WorkspacePath): Promise<CurrentFile> {
  const file = await findFile(workspace, path);
  if (file !== null) return file;
  throw notFound(path);
}

function notFound(path: WorkspacePath, cause?: unknown): Failure {
  return new Failure({
    code: 'not_found',
    message: `There is no file ${path}.`,
    next: '`stoa ls` lists the files.',
    cause,
  });
}

/** Awaits a request about a file, and names the path if the server has no such file. @throws Failure `not_found` */
export async function aboutFile<Result>(path: WorkspacePath, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    const isGone = error instanceof StoaApiError && error.status === 404;
    throw isGone && /^file not found/i.test(error.message) ? notFound(path, error) : error;
  }
}

/** Yields the bytes of a file as they arrive. @throws StoaConnectionError if the transfer breaks off or stalls */
export async function* arriving(
  workspace: Pick<Workspace, 'pace' | 'signal'>,
  body: FileBytes['body'],
): AsyncGenerator<Uint8Array, void> {
  const limit = limitSilence(workspace);
  const { signal } = limit;
  const reader = body.getReader();
  // Rejects while a read waits for the next bytes.
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
  try {
    for (;;) {
      limit.begin();
      const { done, value } = await Promise.race([reader.read(), ended.promise]);
      limit.end();
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new StoaConnectionError('The transfer broke off', { cause: error });
  } finally {
    limit.end();
    await reader.cancel().catch(() => {});
  }
}

/**
 * Passes on the bytes of a file or an earlier version as they arrive.
 * @throws Failure `wrong_hash` after the last byte, if the bytes do not match the server's hash
 */
export async function readFile(
  workspace: Workspace,
  path: WorkspacePath,
  version: number | null,
  {
    begin,
    take,
  }: {
    /** Called with the size; null if the response does not give it. */
    readonly begin: (sizeBytes: number | null) => void;
    readonly take: (chunk: Uint8Array) => Promise<void>;
  },
): Promise<void> {
  const { client, workspaceId, signal } = workspace;
  const file = await openVersion();
  begin(file.sizeBytes);
  const hash = createHash('sha256');
  let receivedBytes = 0;
  for await (const chunk of arriving(workspace, file.body)) {
    receivedBytes += chunk.length;
    if (file.sizeBytes !== null && receivedBytes > file.sizeBytes) {
      throw new StoaConnectionError(`More bytes of ${path} came than the server announced`);
    }
    hash.update(chunk);
    await take(chunk);
  }
  if (file.contentHash !== null && hash.digest('hex') !== file.contentHash) {
    throw new Failure({
      code: 'wrong_hash',
      exit: exitCodes.unreachable,
      message: `The bytes of ${path} are not those that the server has: something on the way changed them.`,
      next: 'Do not use them. Try again, without a proxy if there is one.',
    });
  }

  async function openVersion(): Promise<FileBytes> {
    if (version !== null) {
      return aboutFile(path, client.readVersion(workspaceId, path, version, { signal }));
    }
    const outcome = await aboutFile(path, client.readFile(workspaceId, path, { signal }));
    if (outcome.kind === 'file') return outcome;
    throw new Error('a file was not sent though nothing says that it is known');
  }
}
