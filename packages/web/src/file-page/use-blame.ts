import type { WrittenLinesRecord } from '@stoa/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useReported } from '../api/use-reported.ts';

export interface BlameResponse {
  readonly version: number;
  readonly lines: readonly WrittenLinesRecord[];
}

/** The line authors of a file, reloaded when the feed reports a change. The previous response stays until then. */
export function useBlame(workspaceId: string, path: string) {
  useReported(workspaceId, path, 'blame');
  return useQuery({
    queryKey: queryKeys.blame(workspaceId, path),
    queryFn: async ({ signal }): Promise<BlameResponse> => await client.blame(workspaceId, path, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Up to a record per line: drop unused responses soon.
    gcTime: 60_000,
  });
}
