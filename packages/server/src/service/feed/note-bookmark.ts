import { requireStanding, type StandingQuestion } from '../access.ts';
import type { BookmarkRow } from '../ports/bookmarks.ts';
import { defineScript } from '../ports/script.ts';

interface NoteBookmark extends StandingQuestion {
  readonly workspaceId: string;
  readonly bookmark: BookmarkRow;
}

/**
 * Remembers what a key was told. It changes nothing of the workspace, so a read-only one takes it too; a key that ended
 * meanwhile leaves no row behind.
 */
export const noteBookmarkScript = defineScript<NoteBookmark, void>(
  'feed.note-bookmark',
  async (tx, { bookmark, workspaceId, ...question }) => {
    await requireStanding(tx, question, workspaceId);
    await tx.write.putBookmark(bookmark);
  },
);
