import { useEffect } from 'react';
import { queryClient } from './query-client.ts';
import { queryKeys } from './query-keys.ts';
import { useWorkspace } from './workspace-connections.ts';

/** Invalidates data of a file when the feed reports a change of it. Comments do not change the file. */
export function useReported(workspaceId: string, path: string, what: 'blame' | 'versions'): void {
  const { feed } = useWorkspace(workspaceId);
  useEffect(
    () =>
      feed.subscribe({
        page: ({ changes }) => {
          if (!changes.some((change) => change.path === path && !change.op.startsWith('comment_'))) return;
          void queryClient.invalidateQueries({ queryKey: queryKeys[what](workspaceId, path) });
        },
      }),
    [feed, workspaceId, path, what],
  );
}
