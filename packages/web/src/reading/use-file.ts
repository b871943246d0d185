import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { type DecodedText, decodeText } from './decode-text.ts';

/** The current content of a file, reloaded when the feed reports a change. */
export function useFile(workspaceId: string, path: string) {
  const { feed } = useWorkspace(workspaceId);
  useEffect(
    () =>
      feed.subscribe({
        page: ({ changes }) => {
          const isChanged = changes.some(
            (change) => change.path === path && !change.op.startsWith('comment_'),
          );
          if (isChanged) void queryClient.invalidateQueries({ queryKey: queryKeys.file(workspaceId, path) });
        },
      }),
    [feed, workspaceId, path],
  );
  return useQuery({
    queryKey: queryKeys.file(workspaceId, path),
    queryFn: ({ signal }) => readFile(workspaceId, path, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Up to 50 MB each: drop unused files soon.
    gcTime: 60_000,
  });
}

/** The kind of the current content, if the page has loaded it. Sends no request. */
export function useDecodedKind(workspaceId: string, path: string): DecodedText['kind'] | null {
  // Reads the cache instead of using a query: a query without a function would replace that of the components that load
  // the file.
  const key = queryKeys.file(workspaceId, path);
  const kind = () => queryClient.getQueryData<ReadFile>(key)?.decoded.kind ?? null;
  return useSyncExternalStore((changed) => queryClient.getQueryCache().subscribe(changed), kind);
}

async function readFile(workspaceId: string, path: string, signal: AbortSignal): Promise<ReadFile> {
  const outcome = await client.readFile(workspaceId, path, { signal });
  // Possible only for requests with `unlessVersion`.
  if (outcome.kind === 'not_modified') throw new Error('The file was not sent');
  const { version, contentType, contentHash } = outcome;
  const bytes = await outcome.bytes();
  return { version, contentType, contentHash, bytes, decoded: decodeText(bytes) };
}
