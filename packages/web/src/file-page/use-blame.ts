import type { WrittenLinesRecord } from '@stoa/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../api/workspace-connections.ts';

export interface BlameAnswer {
  readonly version: number;
  readonly lines: readonly WrittenLinesRecord[];
}

/** Who wrote which lines of a file, asked again when the feed tells of it. What was answered before stays until then. */
export function useBlame(workspaceId: string, path: string) {
  const { feed } = useWorkspace(workspaceId);
  useEffect(
    () =>
      feed.subscribe({
        page: ({ changes }) => {
          if (!changes.some((change) => change.path === path && !change.op.startsWith('comment_'))) return;
          void queryClient.invalidateQueries({ queryKey: queryKeys.blame(workspaceId, path) });
        },
      }),
    [feed, workspaceId, path],
  );
  return useQuery({
    queryKey: queryKeys.blame(workspaceId, path),
    queryFn: async ({ signal }): Promise<BlameAnswer> => await client.blame(workspaceId, path, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Up to a line each: what is left is soon forgotten.
    gcTime: 60_000,
  });
}
