// docs/sync.md
import type { WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { TrashWhy } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';

/**
 * Earlier contents of a file are in the trash under its path. They must be found when another user makes the file
 * private, so they follow its moves. Deleted contents no longer belong to a file and keep their path.
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

/** The member's own texts that the server never had. They stay when another user makes the file private. */
const ownTexts: readonly TrashWhy[] = ['held_undone', 'merged'];

/** Removes all contents of a private file from the trash. */
export async function dropFromTrash({ folder, store }: Engine, path: WorkspacePath): Promise<StateChange[]> {
  const rows = (await store.listTrashOf(path)).filter(({ why }) => !ownTexts.includes(why));
  for (const { file } of rows) await folder.dropTrashed(file);
  return rows.map(({ id }) => ({ table: 'trash', id, row: null }));
}
