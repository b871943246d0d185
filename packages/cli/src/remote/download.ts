import type { ResponseHeaders, StoaClient } from '@stoa/client';
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

/** Facts of the file from the response headers. */
interface Announced {
  readonly version: number;
  readonly hash: RemoteHead['hash'];
  readonly contentType: string;
}

/** Marks errors of the sink, which are not the server's. */
class SinkError extends Error {}

/** A file that grows by more than both between the list and its download is fetched with the next list. */
const grownBytesMax = 256 * 1024 * 1024;
const grownTimesMax = 4;

/**
 * See the port. Keeps received bytes when the transfer breaks off and requests the rest, if the content is still the
 * same.
 * @throws StoaApiError with status 404 if there is no file
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
        // This is the rest of other content. Request all of it.
        await reply.body.cancel();
        had = null;
        continue;
      }
      if (!isRest && sink.receivedBytes > 0) {
        source.onBytes(path, -sink.receivedBytes);
        await sink.restart();
      }
      had = reply.announced;
      const broken = await receive(reply, sink, limit, (bytes) => source.onBytes(path, bytes));
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
    const { status } = reply;
    const body = reply.body.stream;
    return { status, announced: announcedBy(reply.headers), restBytes: restBytesOf(reply.headers), body };
  } catch (error) {
    if (!(error instanceof StoaApiError)) throw error;
    if (error.status === 416) return 'past_end';
    // The status alone is not enough: a proxy also responds with 502 while the server is unavailable.
    if (error.status === 502 && /stored bytes/i.test(error.message)) return 'bytes_missing';
    throw error;
  }
}

/** @throws RemoteFailure `not_stoa`: without version and hash, a file cannot count as in sync */
export function announcedBy(headers: ResponseHeaders): Announced {
  const version = headers.get('X-Service-Version') ?? '';
  const hash = headers.get('X-Service-Content-Hash') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(version) || !isContentHash(hash)) {
    throw notStoa('The response does not name the version of the file');
  }
  const contentType = headers.get('Content-Type') ?? 'application/octet-stream';
  return { version: Number(version), hash, contentType };
}

/** Number of bytes to come; null if the response does not say, or gives the compressed size. */
function restBytesOf(headers: ResponseHeaders): number | null {
  const length = headers.get('Content-Length') ?? '';
  const encoding = headers.get('Content-Encoding') ?? 'identity';
  return encoding === 'identity' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/**
 * The file may have grown since the list gave its size, but a response does not fill the disk with whatever it announces.
 */
function boundOf(announcedBytes: number | null, expectedBytes: number | null): number | null {
  if (announcedBytes === null || expectedBytes === null) return announcedBytes ?? expectedBytes;
  return Math.min(announcedBytes, Math.max(grownBytesMax, grownTimesMax * expectedBytes));
}

/** @returns null if everything arrived, else why it broke off */
async function receive(
  { body, restBytes }: { readonly body: ReadableStream<Uint8Array>; readonly restBytes: number | null },
  sink: DownloadSink,
  limit: IdleLimit,
  came: (bytes: number) => void,
): Promise<string | null> {
  const announcedBytes = restBytes === null ? null : sink.receivedBytes + restBytes;
  const maxBytes = boundOf(announcedBytes, sink.expectedBytes ?? null);
  if (maxBytes === null) {
    await body.cancel();
    return 'the server does not say how long the file is';
  }
  try {
    for await (const bytes of body) {
      limit.moved();
      // Read first, because the sink takes over the bytes.
      const { length } = bytes;
      if (sink.receivedBytes + length > maxBytes)
        return `more than the ${maxBytes} bytes came that were announced`;
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
