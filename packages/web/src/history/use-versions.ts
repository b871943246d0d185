import type { VersionRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../api/workspace-connections.ts';

/** The versions of a path, newest first, asked again when the feed tells of the file. */
export function useVersions(workspaceId: string, path: string) {
  const { feed } = useWorkspace(workspaceId);
  useEffect(
    () =>
      feed.subscribe({
        page: ({ changes }) => {
          if (!changes.some((change) => change.path === path && !change.op.startsWith('comment_'))) return;
          void queryClient.invalidateQueries({ queryKey: queryKeys.versions(workspaceId, path) });
        },
      }),
    [feed, workspaceId, path],
  );
  return useQuery({
    queryKey: queryKeys.versions(workspaceId, path),
    queryFn: async ({ signal }): Promise<readonly VersionRecord[]> =>
      (await client.listVersions(workspaceId, path, { signal })).versions,
  });
}
