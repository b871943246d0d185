import { isWithin } from '@stoa/core';
import { useRouter } from '@tanstack/react-router';
import { fileAddress, folderAddress, locationOf } from '../api/addresses.ts';
import { folderOf } from '../api/listing-index.ts';
import { useChangeSearch } from '../api/use-change-search.ts';
import { useReadOnlyReason, useWorkspaceRecord } from '../api/use-workspace.ts';
import { useWorkspace } from '../api/workspace-connections.ts';
import type { FilesContext } from './files-context.ts';

/** The workspace whose files are shown, with functions that open its pages. */
export function useFiles(workspaceId: string): FilesContext {
  const { listing } = useWorkspace(workspaceId);
  const { history } = useRouter();
  const change = useChangeSearch();
  const workspace = useWorkspaceRecord(workspaceId).data;
  const readOnlyBecause = useReadOnlyReason(workspaceId);
  return {
    workspaceId,
    workspaceName: workspace?.name ?? '',
    listing,
    readOnlyBecause: () => readOnlyBecause,
    showOwnOrder: () => change({ sort: undefined }),
    go: (address) => history.push(address),
    follow: (from, to) => {
      const location = locationOf(history.location.pathname);
      if (location.kind !== 'file' && location.kind !== 'folder') return;
      if (location.workspaceId !== workspaceId || location.path === '' || !isWithin(location.path, from))
        return;
      const rest = location.path.slice(from.length);
      const address =
        to === null
          ? folderAddress(workspaceId, folderOf(from))
          : location.kind === 'file'
            ? fileAddress(workspaceId, to + rest)
            : folderAddress(workspaceId, to + rest);
      history.replace(address);
    },
  };
}
