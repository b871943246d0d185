import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import { type DecodedText, decodeText } from './decode-text.ts';

/** The current content of a file, read again when the feed tells of a change. */
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
    // Up to 50 MB each: what is left is soon forgotten.
    gcTime: 60_000,
  });
}

/** What the current content turned out to be, where something on the page has read it; asks for nothing. */
export function useDecodedKind(workspaceId: string, path: string): DecodedText['kind'] | null {
  // Looked up, not asked for: a question without a way to its answer would take it from those who ask for the file.
  const key = queryKeys.file(workspaceId, path);
  const kind = () => queryClient.getQueryData<ReadFile>(key)?.decoded.kind ?? null;
  return useSyncExternalStore((changed) => queryClient.getQueryCache().subscribe(changed), kind);
}

async function readFile(workspaceId: string, path: string, signal: AbortSignal): Promise<ReadFile> {
  const outcome = await client.readFile(workspaceId, path, { signal });
  // Only an answer to `unlessVersion` can be that.
  if (outcome.kind === 'not_modified') throw new Error('The file was not sent');
  const { version, contentType, contentHash } = outcome;
  const bytes = await outcome.bytes();
  return { version, contentType, contentHash, bytes, decoded: decodeText(bytes) };
}
