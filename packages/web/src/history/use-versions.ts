import type { VersionRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReported } from '../api/use-reported.ts';

/** The versions of a path, newest first, reloaded when the feed reports a change of the file. */
export function useVersions(workspaceId: string, path: string) {
  useReported(workspaceId, path, 'versions');
  return useQuery({
    queryKey: queryKeys.versions(workspaceId, path),
    queryFn: async ({ signal }): Promise<readonly VersionRecord[]> =>
      (await client.listVersions(workspaceId, path, { signal })).versions,
  });
}
