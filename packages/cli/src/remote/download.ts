import type { AnswerHeaders, StoaClient } from '@stoa/client';
import { StoaApiError } from '@stoa/client';
import { isContentHash, transferTriesMax, type WorkspacePath } from '@stoa/core';
import type { DownloadSink } from '../engine/ports/content.ts';
import { type DownloadOutcome, RemoteFailure, type RemoteHead } from '../engine/ports/remote-workspace.ts';
import { type IdleLimit, limitIdle } from './idle-limit.ts';
import { notStoa } from './remote-failures.ts';

interface Source {
  readonly client: StoaClient;
  readonly workspaceId: string;
  readonly onBytes: (path: WorkspacePath, bytes: number) => void;
}

/** What the server announced, before its bytes. */
interface Announced {
  readonly version: number;
  readonly hash: RemoteHead['hash'];
  readonly contentType: string;
}

/** The sink's own failures are not the server's. */
class SinkError extends Error {}

/**
 * As the port says. What was received is kept over a break: the rest is asked for, and taken if it is of the same content.
 * @throws StoaApiError with status 404 where there is nothing.
 */
export async function download(
  source: Source,
  path: WorkspacePath,
  sink: DownloadSink,
  outer: AbortSignal | undefined,
): Promise<DownloadOutcome> {
  let had: Announced | null = null;
  let detail = '';
  for (let tries = 0; tries < transferTriesMax; tries += 1) {
    const limit = limitIdle(outer);
    try {
      const from: number = had === null ? 0 : sink.receivedBytes;
      const reply = await ask(source, path, from, limit);
      if (reply === 'bytes_missing') return { kind: 'bytes_missing' };
      if (reply === 'past_end') {
        had = null;
        continue;
      }
      const isRest: boolean = reply.status === 206 && had !== null && had.hash === reply.announced.hash;
      if (reply.status === 206 && !isRest) {
        // The rest of another content: it is asked for whole.
        await reply.body.cancel();
        had = null;
        continue;
      }
      if (!isRest && sink.receivedBytes > 0) {
        source.onBytes(path, -sink.receivedBytes);
        await sink.restart();
      }
      had = reply.announced;
      const broken = await receive(reply.body, sink, limit, (bytes) => source.onBytes(path, bytes));
      if (broken !== null) {
        if (outer?.aborted === true) throw outer.reason;
        detail = broken;
        continue;
      }
      if (sink.digest() === had.hash) {
        return { kind: 'file', ...had, sizeBytes: sink.receivedBytes };
      }
      detail = 'other bytes came than were announced';
      had = null;
    } finally {
      limit.end();
    }
  }
  return { kind: 'transfer_failed', detail };
}

async function ask(
  { client, workspaceId }: Source,
  path: WorkspacePath,
  from: number,
  { signal }: IdleLimit,
) {
  const headers = from === 0 ? {} : { Range: `bytes=${from}-` };
  try {
    const reply = await client.call(
      { id: 'readFile' },
      { params: { workspaceId, path }, headers },
      { signal },
    );
    if (reply.status === 304) throw notStoa('The file was not sent');
    return { status: reply.status, announced: announcedBy(reply.headers), body: reply.body.stream };
  } catch (error) {
    if (!(error instanceof StoaApiError)) throw error;
    if (error.status === 416) return 'past_end';
    // A proxy answers 502, too, while the server is away.
    if (error.status === 502 && /stored bytes/i.test(error.message)) return 'bytes_missing';
    throw error;
  }
}

/** @throws RemoteFailure `not_stoa`: a file whose version and hash are not known cannot be taken for in sync. */
export function announcedBy(headers: AnswerHeaders): Announced {
  const version = headers.get('X-Service-Version') ?? '';
  const hash = headers.get('X-Service-Content-Hash') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(version) || !isContentHash(hash)) {
    throw notStoa('The answer does not say which version of the file it is');
  }
  const contentType = headers.get('Content-Type') ?? 'application/octet-stream';
  return { version: Number(version), hash, contentType };
}

/** @returns null when all came, else why it broke off. */
async function receive(
  body: ReadableStream<Uint8Array>,
  sink: DownloadSink,
  limit: IdleLimit,
  came: (bytes: number) => void,
): Promise<string | null> {
  try {
    for await (const bytes of body) {
      limit.moved();
      // The bytes are the sink's from then on.
      const { length } = bytes;
      await sink.append(bytes).catch((error) => {
        throw new SinkError('', { cause: error });
      });
      came(length);
    }
    return null;
  } catch (error) {
    if (error instanceof SinkError) throw error.cause;
    return error instanceof RemoteFailure ? error.message : 'the transfer broke off';
  }
}
