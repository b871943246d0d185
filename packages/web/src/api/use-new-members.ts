import type { MemberRecord } from '@stoa/contract';
import { useEffect } from 'react';
import { queryClient } from './query-client.ts';
import { queryKeys } from './query-keys.ts';
import { useWorkspace } from './workspace-connections.ts';

/** People join while a page is open: the members are asked for again when somebody else does something, once for each. */
export function useNewMembers(workspaceId: string): void {
  const { feed } = useWorkspace(workspaceId);
  useEffect(() => {
    const askedFor = new Set<string>();
    return feed.subscribe({
      page: ({ changes }) => {
        const queryKey = queryKeys.members(workspaceId);
        // While the first answer is awaited it may be from before somebody joined.
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
