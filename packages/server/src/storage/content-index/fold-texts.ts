import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import { partCharacters, partsOfText } from './parts-of-text.ts';
import { signsAsLetters } from './signs-as-letters.ts';

/** Contents; null when their bytes are missing. */
export type Contents = readonly (Uint8Array | null)[];

/** The parts of a folded text with letters for punctuation, concatenated, as the database receives them. */
export interface FoldedText {
  readonly bytes: Uint8Array;
  /** Offset and length of each part. */
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

export type FoldedTexts = readonly (FoldedText | null)[];
export type FoldingPool = Pick<WorkerPool<Contents, FoldedTexts>, 'ask'>;

const utf8 = new TextEncoder();

/** Folds contents, in a worker: null for a content that is not text. A large text takes a third of a second. */
export function foldTexts(contents: Contents): FoldedTexts {
  return contents.map((bytes) => {
    const parts = partsOfText(bytes, partCharacters.postgres);
    return parts === null ? null : inOneChunk(parts.map((part) => utf8.encode(signsAsLetters(part))));
  });
}

export const foldInThisThread: FoldingPool = {
  ask: async (contents) => ({ kind: 'answered', result: foldTexts(contents) }),
};

/** Transfers the contents: they are unusable here afterwards. */
export async function foldElsewhere(pool: FoldingPool, contents: Contents): Promise<FoldedTexts> {
  const transfer = contents.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer as ArrayBuffer]));
  const outcome = await pool.ask(contents, { transfer: [...new Set(transfer)] });
  if (outcome.kind === 'exhausted') throw new Error(`folding texts took too much ${outcome.limit}`);
  return outcome.result;
}

function inOneChunk(parts: readonly Uint8Array[]): FoldedText {
  const lengths = parts.map(({ length }) => length);
  const starts: number[] = [];
  let end = 0;
  for (const length of lengths) {
    starts.push(end);
    end += length;
  }
  const bytes = new Uint8Array(end);
  for (const [at, part] of parts.entries()) bytes.set(part, starts[at]);
  return { bytes, starts, lengths };
}
