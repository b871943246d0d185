import { useQuery } from '@tanstack/react-query';
import { shell } from '../text/en/shell.ts';
import { client, onReadOnly } from './client.ts';
import { queryClient } from './query-client.ts';
import { queryKeys } from './query-keys.ts';

/** The user's workspaces, oldest first. */
export function useWorkspaces() {
  return useQuery({
    queryKey: queryKeys.workspaces,
    queryFn: async ({ signal }) => (await client.listWorkspaces({ signal })).workspaces,
  });
}

/** Name, icon, colour and theme of a workspace. The feed has no settings, so they are reloaded on focus. */
export function useWorkspaceRecord(workspaceId: string) {
  return useQuery({
    queryKey: queryKeys.workspace(workspaceId),
    queryFn: ({ signal }) => client.readWorkspace(workspaceId, { signal }),
  });
}

export function useMembers(workspaceId: string) {
  return useQuery({
    queryKey: queryKeys.members(workspaceId),
    queryFn: async ({ signal }) => (await client.members(workspaceId, { signal })).members,
  });
}

export function useUsage(workspaceId: string) {
  return useQuery({
    queryKey: queryKeys.usage(workspaceId),
    queryFn: ({ signal }) => client.usage(workspaceId, { signal }),
  });
}

// The plan lapsed after the page was opened: reload the usage, which decides what is disabled.
onReadOnly((workspaceId) => void queryClient.invalidateQueries({ queryKey: queryKeys.usage(workspaceId) }));

/** Why nothing can be written in the workspace, or null: its plan has lapsed. */
export function useReadOnlyReason(workspaceId: string): string | null {
  const { data } = useUsage(workspaceId);
  return data?.billing.status === 'lapsed' ? shell.readOnlyWorkspace : null;
}
