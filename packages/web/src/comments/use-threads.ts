import type { CommentThread } from '@stoa/contract';
import { entryPageMax, threadPageMax } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../api/workspace-connections.ts';

/** Maximum pages of threads per file, and of replies per thread: far above real use. */
const pagesMax = 100;

/** The threads of a file with all replies, reloaded after new comments and after changes of the text. */
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
    const response: Awaited<ReturnType<typeof client.listComments>> = await client.listComments(workspaceId, {
      ...query,
      signal,
    });
    threads.push(...response.threads);
    offset = response.nextOffset;
  }
  return Promise.all(threads.map((thread) => withAllEntries(workspaceId, thread, signal)));
}

/** A page of threads has only the first replies of each: loads the rest. */
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
