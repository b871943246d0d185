import type { LiveListing } from '../api/listing.ts';
import type { Listing } from '../api/listing-index.ts';

/** The workspace whose files are shown, with what file actions need. */
export interface FilesContext {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly listing: LiveListing;
  /** Why nothing can be written here, as a message for the user; null if it can. Moves and deletes still work (402). */
  readOnlyBecause(): string | null;
  /** Follows an item shown at `from` to its new path. */
  follow(from: string, to: string | null): void;
  /** Shows the folder in its custom order, in which an item was just moved. */
  showOwnOrder(): void;
  /** Opens a page of this workspace. */
  go(address: string): void;
}

/** The current list. Commands exist only where it is loaded. */
export function shownListing({ listing }: Pick<FilesContext, 'listing'>): Listing {
  const state = listing.state.get();
  if (state.kind !== 'ready') throw new Error('Files are changed before they are listed');
  return state.listing;
}
