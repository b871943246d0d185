import { setImmediate as nextTick } from 'node:timers/promises';

const chunkBytes = 256 * 1024;

/** Yields bytes as a body: chunks with memory of their own, and other requests can run between them. */
export async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < content.byteLength; at += chunkBytes) {
    if (at > 0) await nextTick();
    yield content.slice(at, at + chunkBytes);
  }
}
