import { requireStanding, type StandingQuestion } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import { bookmarkAfter, bookmarkFor, type Shown, withBookmark } from './bookmark-rule.ts';

interface NoteBookmark extends StandingQuestion {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly shown: Shown;
}

/**
 * Records which changes a key received. It does not change the workspace, so it also works in a read-only one. A key
 * that ended in between leaves no row.
 */
export const noteBookmarkScript = defineScript<NoteBookmark, void>(
  'feed.note-bookmark',
  async (tx, { keyId, workspaceId, shown, ...question }) => {
    await requireStanding(tx, question, workspaceId);
    const bookmarks = await tx.bookmarks.find(keyId, workspaceId);
    const after = bookmarkAfter(bookmarkFor(bookmarks, shown.path), shown);
    if (after === null) return;
    await tx.write.putBookmarks(keyId, workspaceId, withBookmark(bookmarks, shown.path, after));
  },
);
