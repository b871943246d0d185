import { writev } from 'node:fs';
import { promisify } from 'node:util';
import { freeChunk } from '../engine/ports/content.ts';

const writeLater = promisify(writev);
/** Written by one task of the thread pool. A task for each network chunk would take longer than the writing. */
const togetherBytes = 1024 * 1024;
/** Limits a batch of very small chunks, because one call accepts a limited number. */
const togetherChunks = 512;

/** Writes in the background: while one batch is written, the next one is collected. */
export interface GatheredWriter {
  /** Takes over the bytes. @throws as soon as an earlier batch could not be written */
  write(bytes: Uint8Array, location: number): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
  /** Drops waiting bytes and ignores errors. No write is running afterwards. */
  drop(): Promise<void>;
}

/** @param file open for writing; each call continues where the previous one ended */
export function createGatheredWriter(file: number): GatheredWriter {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let from = 0;
  let writing: Promise<void> = Promise.resolve();

  const begin = async (): Promise<void> => {
    const batch = waiting;
    [waiting, waitingBytes] = [[], 0];
    if (batch.length === 0) return;
    const at = from;
    await writing;
    writing = writeAll(file, batch, at);
    // The next caller gets the error.
    writing.catch(() => {});
  };
  return {
    async write(bytes, location) {
      if (waiting.length === 0) from = location;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= togetherBytes || waiting.length >= togetherChunks) await begin();
    },
    async end() {
      await begin();
      await writing;
    },
    async drop() {
      [waiting, waitingBytes] = [[], 0];
      await writing.catch(() => {});
      writing = Promise.resolve();
    },
  };
}

async function writeAll(file: number, batch: readonly Uint8Array[], from: number): Promise<void> {
  let left = batch;
  // A nearly full disk may write only a part. Each iteration writes some bytes, or the disk reports an error.
  for (let at = from; left.length > 0; ) {
    const { bytesWritten } = await writeLater(file, left, at);
    at += bytesWritten;
    left = withoutFirst(left, bytesWritten);
  }
  for (const chunk of batch) freeChunk(chunk);
}

function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  const rest: Uint8Array[] = [];
  let gone = bytes;
  for (const chunk of chunks) {
    const left = chunk.subarray(Math.min(gone, chunk.length));
    gone -= chunk.length - left.length;
    if (left.length > 0) rest.push(left);
  }
  return rest;
}
