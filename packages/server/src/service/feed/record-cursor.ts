import { type AccessQuestion, requireAccessStatus } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import { cursorAfter, cursorFor, type Shown, withCursor } from './cursor-rule.ts';

interface RecordCursor extends AccessQuestion {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly shown: Shown;
}

/**
 * Records which changes a key received. It does not change the workspace, so it also works in a read-only one. A key
 * that ended in between leaves no row.
 */
export const recordCursorScript = defineScript<RecordCursor, void>(
  'feed.note-bookmark',
  async (tx, { keyId, workspaceId, shown, ...question }) => {
    await requireAccessStatus(tx, question, workspaceId);
    const cursors = await tx.cursors.find(keyId, workspaceId);
    const after = cursorAfter(cursorFor(cursors, shown.path), shown);
    if (after === null) return;
    await tx.write.putBookmarks(keyId, workspaceId, withCursor(cursors, shown.path, after));
  },
);
