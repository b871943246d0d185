import type { WorkspacePath } from '@stoa/core';
import type { LocalFolder } from './ports/local-folder.ts';
import type { TrashRow } from './ports/state-rows.ts';
import type { StateReader, StateStore } from './ports/state-store.ts';

/** Operations of the user on the trash, in whichever process works on the folder. */
export interface Trash {
  readonly folder: Pick<LocalFolder, 'putBack' | 'dropTrashed'>;
  readonly store: Pick<StateReader, 'listTrash'>;
  readonly commit: StateStore['commit'];
}

export type Restored = {
  /**
   * `unknown`: no file in the trash has that id. Otherwise the reason of the disk, such as `taken`: the path is not
   * free.
   */
  readonly kind: string;
  readonly path: WorkspacePath | null;
};

export interface Emptied {
  readonly kind: 'emptied';
  readonly files: number;
}

const dayMs = 24 * 3600_000;
/** Limit of rows found or removed at once. */
export const trashRowsMax = 100_000;

/** Moves a file back to its path, if that is free. */
export async function restoreTrashed({ folder, store, commit }: Trash, id: string): Promise<Restored> {
  const row = (await store.listTrash(trashRowsMax)).find((each) => each.id === id);
  if (row === undefined) return { kind: 'unknown', path: null };
  const { kind } = await folder.putBack(row.file, row.path);
  if (kind !== 'placed') return { kind, path: row.path };
  await commit([{ table: 'trash', id, row: null }], 'durable');
  return { kind: 'restored', path: row.path };
}

/** Deletes files for good that went to the trash at least this many days before `now`. */
export async function emptyTrash(
  { folder, store, commit }: Trash,
  olderThanDays: number,
  now: number,
): Promise<Emptied> {
  const rows = olderThan(await store.listTrash(trashRowsMax), olderThanDays, now);
  for (const { id, file } of rows) {
    await folder.dropTrashed(file);
    await commit([{ table: 'trash', id, row: null }], 'grouped');
  }
  return { kind: 'emptied', files: rows.length };
}

/** With 0 days, all rows, including those dated in the future because the clock was ahead. */
export function olderThan(rows: readonly TrashRow[], days: number, now: number): readonly TrashRow[] {
  if (days === 0) return rows;
  return rows.filter(({ at }) => at <= now - days * dayMs);
}
