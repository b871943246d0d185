import type { CommentThread } from '@stoa/contract';
import { useEffect, useMemo, useRef } from 'react';
import { areStale, type ThreadPassage, threadPassages } from '../comments/thread-list.ts';
import { askThreadsAgain } from '../comments/use-threads.ts';
import { byteOffsets } from '../text/byte-offsets.ts';

/** Passages that threads are about, and the text that they stand in. */
export interface PlacedPassages {
  readonly source: string;
  readonly passages: readonly ThreadPassage[];
}

/**
 * Where threads stand in what the server has. Threads of the version before are asked for again, once for each text.
 * @param saved null: not known yet.
 * @returns those that stand where the threads say, and the last ones of which that was true of all: for whoever knows
 *   where the places of a text have gone since.
 */
export function usePassages(
  workspaceId: string,
  path: string,
  threads: readonly CommentThread[],
  saved: string | null,
): { readonly current: PlacedPassages; readonly settled: PlacedPassages } {
  // A long text is not counted for nothing.
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
