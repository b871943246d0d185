import { mergeTexts, type TextEdit } from '@stoa/core';

export interface MergeQuestion {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface MergeResponse {
  /** To apply to `mine`. */
  readonly edits: readonly TextEdit[];
  readonly overlaps: number;
}

/** Above this size a merge could block typing. In UTF-16 units. */
export const ownThreadMax = 256 * 1024;

/** Merges by words within lines that both changed: users and agents write prose, where a paragraph is one line. */
export async function mergeInApp(question: MergeQuestion): Promise<MergeResponse> {
  const { base, mine, theirs } = question;
  if (Math.max(base.length, mine.length, theirs.length) <= ownThreadMax) return mergeHere(question);
  try {
    return await mergeInWorker(question);
  } catch {
    // The worker script cannot be loaded: offline, or the server has another build. Without a merge nothing would be
    // saved, so block typing once.
    return mergeHere(question);
  }
}

function mergeHere({ base, mine, theirs }: MergeQuestion): MergeResponse {
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: 'words' });
  return { edits, overlaps: overlaps.length };
}

async function mergeInWorker(question: MergeQuestion): Promise<MergeResponse> {
  const worker = new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<MergeResponse>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<MergeResponse>) => resolve(data));
      worker.addEventListener('error', (event) => reject(new Error(event.message)));
      worker.postMessage(question);
    });
  } finally {
    worker.terminate();
  }
}
