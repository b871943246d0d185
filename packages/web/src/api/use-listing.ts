import { useStore } from '../store/store.ts';
import type { ListingState } from './listing.ts';
import { useWorkspace } from './workspace-connections.ts';

/** The files and folders of a workspace, kept current while the page is shown. */
export function useListing(workspaceId: string): ListingState {
  return useStore(useWorkspace(workspaceId).listing.state);
}
