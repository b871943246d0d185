import { folderOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { moveInOrder } from './entry-order.ts';
import { type FilesContext, shownListing } from './files-context.ts';

/** Why an item cannot be moved by one position; null if it can. */
export function orderError(context: FilesContext, path: string, by: -1 | 1): string | null {
  const change = moveInOrder(shownListing(context).childrenOf(folderOf(path)), path, { by });
  switch (change.kind) {
    case 'ordered':
      return null;
    case 'too_many':
      return texts.tooManyToOrder;
    case 'stands_behind_original':
      return texts.copyStandsBehind;
    case 'already_there':
      return by === -1 ? texts.alreadyFirst : texts.alreadyLast;
  }
}
