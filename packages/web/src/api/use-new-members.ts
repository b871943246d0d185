import type { MemberRecord } from '@stoa/contract';
import { useEffect } from 'react';
import { queryClient } from './query-client.ts';
import { queryKeys } from './query-keys.ts';
import { useWorkspace } from './workspace-connections.ts';

/** Reloads the members when an unknown user makes a change, once per user, as users join while a page is open. */
export function useNewMembers(workspaceId: string): void {
  const { feed } = useWorkspace(workspaceId);
  useEffect(() => {
    const askedFor = new Set<string>();
    return feed.subscribe({
      page: ({ changes }) => {
        const queryKey = queryKeys.members(workspaceId);
        // A pending first response may predate the new member.
        const known = queryClient.getQueryData<readonly MemberRecord[]>(queryKey) ?? [];
        const people = new Set(
          changes.flatMap(({ actorId, actorKeyId }) => (actorKeyId === null ? [actorId] : [])),
        );
        const others = [...people].filter(
          (id) => !askedFor.has(id) && known.every((member) => member.id !== id),
        );
        if (others.length === 0) return;
        for (const id of others) askedFor.add(id);
        void queryClient.invalidateQueries({ queryKey });
      },
    });
  }, [feed, workspaceId]);
}
