import type { CommentThread } from '@stoa/contract';
import { useEffect, useMemo, useRef } from 'react';
import { areStale, type ThreadPassage, threadPassages } from '../comments/thread-list.ts';
import { askThreadsAgain } from '../comments/use-threads.ts';
import { byteOffsets } from '../text/byte-offsets.ts';

/** Passages of threads, and the text that they refer to. */
export interface PlacedPassages {
  readonly source: string;
  readonly passages: readonly ThreadPassage[];
}

/**
 * The positions of threads in the server's text. Threads of an older version are reloaded, once per text.
 * @param saved null while unknown.
 * @returns the passages that match the text, and the last set in which all of them matched, to be mapped through
 *   later edits.
 */
export function usePassages(
  workspaceId: string,
  path: string,
  threads: readonly CommentThread[],
  saved: string | null,
): { readonly current: PlacedPassages; readonly settled: PlacedPassages } {
  // Byte offsets of a long text are costly: compute them only for threads.
  const isWanted = saved !== null && threads.length > 0;
  const text = useMemo(() => (isWanted ? { source: saved, ...byteOffsets(saved) } : null), [isWanted, saved]);
  const isStale = useMemo(() => text !== null && areStale(threads, text), [threads, text]);
  const current = useMemo(
    () => ({ source: saved ?? '', passages: text === null ? [] : threadPassages(threads, text) }),
    [saved, threads, text],
  );
  const settled = useRef<PlacedPassages>(current);
  if (!isStale) settled.current = current;

  const askedFor = useRef<string | null>(null);
  useEffect(() => {
    if (!isStale || askedFor.current === saved) return;
    askedFor.current = saved;
    askThreadsAgain(workspaceId, path);
  }, [isStale, saved, workspaceId, path]);

  return { current, settled: settled.current };
}
