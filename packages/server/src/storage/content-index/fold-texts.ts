import { foldCase, indexedText } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import { textOf } from '../../service/ports/content-index.ts';

/** Contents; null where their bytes are gone. */
export type Contents = readonly (Uint8Array | null)[];
export type FoldingPool = Pick<WorkerPool<Contents, Contents>, 'ask'>;

const utf8 = new TextEncoder();

/**
 * What a thread makes of contents: their folded texts, in the form in which a database takes them, and null for what is not text.
 * A large text takes a third of a second.
 */
export function foldTexts(contents: Contents): Contents {
  return contents.map((bytes) => {
    const text = bytes === null ? null : textOf(bytes);
    return text === null ? null : utf8.encode(indexedText(foldCase(text)));
  });
}

export const foldInThisThread: FoldingPool = {
  ask: async (contents) => ({ kind: 'answered', answer: foldTexts(contents) }),
};

/** The contents are gone here afterwards. */
export async function foldElsewhere(pool: FoldingPool, contents: Contents): Promise<Contents> {
  const transfer = contents.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer as ArrayBuffer]));
  const outcome = await pool.ask(contents, { transfer: [...new Set(transfer)] });
  if (outcome.kind === 'exhausted') throw new Error(`folding texts took too much ${outcome.limit}`);
  return outcome.answer;
}
