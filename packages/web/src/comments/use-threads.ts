import type { CommentThread } from '@stoa/contract';
import { entryPageMax, threadPageMax } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../api/workspace-connections.ts';

/** Pages of threads of one file, and of replies of one thread: far above what people do. */
const pagesMax = 100;

/** The threads of a file with all their replies, asked for again when somebody comments or the text changes. */
export function useThreads(workspaceId: string, path: string, isWanted: boolean) {
  const { feed } = useWorkspace(workspaceId);
  useEffect(
    () =>
      feed.subscribe({
        page: ({ changes }) => {
          if (changes.some((change) => change.path === path)) askThreadsAgain(workspaceId, path);
        },
      }),
    [feed, workspaceId, path],
  );
  return useQuery({
    queryKey: queryKeys.threads(workspaceId, path),
    queryFn: ({ signal }) => readThreads(workspaceId, path, signal),
    enabled: isWanted,
  });
}

export function askThreadsAgain(workspaceId: string, path: string): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.threads(workspaceId, path) });
}

async function readThreads(
  workspaceId: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly CommentThread[]> {
  const threads: CommentThread[] = [];
  let offset: number | null = 0;
  for (let page = 0; offset !== null && page < pagesMax; page += 1) {
    const query = { path, limit: threadPageMax, offset, entriesLimit: entryPageMax };
    const answer: Awaited<ReturnType<typeof client.listComments>> = await client.listComments(workspaceId, {
      ...query,
      signal,
    });
    threads.push(...answer.threads);
    offset = answer.nextOffset;
  }
  return Promise.all(threads.map((thread) => withAllEntries(workspaceId, thread, signal)));
}

/** A page of threads holds only the first replies of each. */
async function withAllEntries(
  workspaceId: string,
  thread: CommentThread,
  signal: AbortSignal,
): Promise<CommentThread> {
  const entries = [...thread.entries];
  for (let page = 0; entries.length < thread.entryCount && page < pagesMax; page += 1) {
    const query = { threadId: thread.id, entriesLimit: entryPageMax, entriesOffset: entries.length };
    const { threads } = await client.listComments(workspaceId, { ...query, signal });
    const more = threads[0]?.entries ?? [];
    if (more.length === 0) break;
    entries.push(...more);
  }
  return { ...thread, entries };
}
