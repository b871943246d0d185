import type { LiveListing } from '../api/listing.ts';
import type { Listing } from '../api/listing-index.ts';

/** The workspace whose files are shown, for whatever changes them. */
export interface FilesContext {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly listing: LiveListing;
  /** Why nothing can be written here, for people to read; null when it can. Moves and deletes go on (402). */
  readOnlyBecause(): string | null;
  /** Goes on to where something is now that was shown at `from`. */
  follow(from: string, to: string | null): void;
  /** Shows the folder in its own order, in which something has just been placed. */
  showOwnOrder(): void;
  /** Opens a place of this workspace. */
  go(address: string): void;
}

/** The list as it is shown now. Commands exist only where it is. */
export function shownListing({ listing }: Pick<FilesContext, 'listing'>): Listing {
  const state = listing.state.get();
  if (state.kind !== 'ready') throw new Error('Files are changed before they are listed');
  return state.listing;
}
