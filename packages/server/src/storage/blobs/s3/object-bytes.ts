import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import { getObject, type ObjectRange } from './get-object.ts';
import type { ObjectStore } from './object-store.ts';
import { storeRefusal } from './store-failure.ts';

/** How often one download goes on after its connection broke. */
const resumptionsMax = 8;
const pauseMsMin = 50;
const pauseMsMax = 2_000;

/**
 * All bytes of a range, through broken connections: it goes on where the one before ended. Never ends early.
 * @param first the answer that the range began with
 * @param signal ends it at once, and closes the connection
 * @throws WorkspaceError as `getObject`
 */
export async function* objectBytes(
  store: ObjectStore,
  name: string,
  range: ObjectRange,
  first: Readable,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let body = first;
  let at = range.start;
  for (let resumptions = 0; ; resumptions += 1) {
    let failure: unknown = new Error('the object store closed the connection early');
    try {
      for await (const chunk of piecesOf(body, store.patience.stallMs, signal)) {
        at += chunk.byteLength;
        if (at > range.end) throw new WorkspaceError('stored_bytes_missing');
        yield chunk;
      }
    } catch (error) {
      failure = error;
    }
    if (at === range.end) return;
    if (signal.aborted || failure instanceof WorkspaceError) throw failure;
    if (resumptions >= resumptionsMax) throw storeRefusal(store, failure);
    await pause(pauseBefore(resumptions), undefined, { signal });
    ({ body } = await getObject(store, name, { ...range, start: at }, signal));
  }
}

function pauseBefore(resumptions: number): number {
  return Math.random() * Math.min(pauseMsMax, pauseMsMin * 2 ** resumptions);
}

/** Counts only the time that somebody waits for a piece: a slow reader is no stalled store. */
async function* piecesOf(
  body: Readable,
  stallMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const end = () => body.destroy();
  signal.addEventListener('abort', end, { once: true });
  const pieces: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const stalled = setTimeout(() => body.destroy(new Error(`no bytes for ${stallMs} ms`)), stallMs);
      const { value, done } = await pieces.next().finally(() => clearTimeout(stalled));
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new Error('a body of something else than bytes');
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', end);
    body.destroy();
  }
}
