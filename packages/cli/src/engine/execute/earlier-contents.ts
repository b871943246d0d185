// docs/sync.md
import type { WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { TrashWhy } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';

/**
 * Earlier contents of a file are in the trash under its path, and must be found when somebody makes it private: they go
 * where it goes. What was deleted belongs to no file any more, and stays where it was.
 */
export async function followInTrash(
  { store }: Engine,
  from: WorkspacePath,
  to: WorkspacePath,
): Promise<StateChange[]> {
  const rows = await store.listTrashOf(from);
  return rows.flatMap((row): StateChange[] =>
    row.why === 'deleted_there' ? [] : [{ table: 'trash', id: row.id, row: { ...row, path: to } }],
  );
}

/** Texts of the member's own that the server never had: nobody else's privacy takes them away. */
const ownTexts: readonly TrashWhy[] = ['held_undone', 'merged'];

/** No byte of what is private now stays in the trash. */
export async function dropFromTrash({ folder, store }: Engine, path: WorkspacePath): Promise<StateChange[]> {
  const rows = (await store.listTrashOf(path)).filter(({ why }) => !ownTexts.includes(why));
  for (const { file } of rows) await folder.dropTrashed(file);
  return rows.map(({ id }) => ({ table: 'trash', id, row: null }));
}
