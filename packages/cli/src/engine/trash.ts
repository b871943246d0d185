import type { WorkspacePath } from '@stoa/core';
import type { LocalFolder } from './ports/local-folder.ts';
import type { TrashRow } from './ports/state-rows.ts';
import type { StateReader, StateStore } from './ports/state-store.ts';

/** What a person does with the trash: by the process that works on the folder, whichever that is. */
export interface Trash {
  readonly folder: Pick<LocalFolder, 'putBack' | 'dropTrashed'>;
  readonly store: Pick<StateReader, 'listTrash'>;
  readonly commit: StateStore['commit'];
}

export type Restored = {
  /** `unknown`: nothing in the trash has that id. The rest is why the disk did not take it: `taken`, something is there. */
  readonly kind: string;
  readonly path: WorkspacePath | null;
};

export interface Emptied {
  readonly kind: 'emptied';
  readonly files: number;
}

const dayMs = 24 * 3600_000;
/** More is neither found nor dropped at once. */
export const trashRowsMax = 100_000;

/** Puts a file back where it was, if nothing is there now. */
export async function restoreTrashed({ folder, store, commit }: Trash, id: string): Promise<Restored> {
  const row = (await store.listTrash(trashRowsMax)).find((each) => each.id === id);
  if (row === undefined) return { kind: 'unknown', path: null };
  const { kind } = await folder.putBack(row.file, row.path);
  if (kind !== 'placed') return { kind, path: row.path };
  await commit([{ table: 'trash', id, row: null }], 'durable');
  return { kind: 'restored', path: row.path };
}

/** Removes for good what went there so many days before `now`. */
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

/** Of no days all, also what went there while the clock was ahead. */
export function olderThan(rows: readonly TrashRow[], days: number, now: number): readonly TrashRow[] {
  if (days === 0) return rows;
  return rows.filter(({ at }) => at <= now - days * dayMs);
}
