import { writev } from 'node:fs';
import { promisify } from 'node:util';
import { freePiece } from '../engine/ports/content.ts';

const writeLater = promisify(writev);
/** Written together, by one turn of a thread: a turn for each piece from the network takes longer than the writing. */
const togetherBytes = 1024 * 1024;
/** The smallest pieces would be too many for one call. */
const togetherPieces = 512;

/** Writes beside what follows: one batch is on its way to the disk while the next one gathers. */
export interface GatheredWriter {
  /** The bytes are this writer's from then on. @throws as soon as a batch before could not be written. */
  write(bytes: Uint8Array, place: number): Promise<void>;
  /** All is written. */
  end(): Promise<void>;
  /** Forgets what waits and what failed. Nothing is under way afterwards. */
  drop(): Promise<void>;
}

/** @param file open for writing; what is handed over follows on what was handed over before. */
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
    // Whoever comes next is told.
    writing.catch(() => {});
  };
  return {
    async write(bytes, place) {
      if (waiting.length === 0) from = place;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= togetherBytes || waiting.length >= togetherPieces) await begin();
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
  // A disk that is nearly full takes a part: each round writes some bytes, or the disk refuses.
  for (let at = from; left.length > 0; ) {
    const { bytesWritten } = await writeLater(file, left, at);
    at += bytesWritten;
    left = withoutFirst(left, bytesWritten);
  }
  for (const piece of batch) freePiece(piece);
}

function withoutFirst(pieces: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  const rest: Uint8Array[] = [];
  let gone = bytes;
  for (const piece of pieces) {
    const left = piece.subarray(Math.min(gone, piece.length));
    gone -= piece.length - left.length;
    if (left.length > 0) rest.push(left);
  }
  return rest;
}
