import type { TrashRow } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const trash = rowTable<string, TrashRow>(
  'trash',
  [
    'id TEXT PRIMARY KEY',
    'path TEXT NOT NULL',
    'hash TEXT',
    'size INTEGER NOT NULL',
    'why TEXT NOT NULL',
    'at INTEGER NOT NULL',
    'file TEXT NOT NULL',
  ],
  {
    toValues: ({ path, hash, sizeBytes, why, at, file }) => [path, hash, sizeBytes, why, at, file],
    fromValues: ([, path, hash, sizeBytes, why, at, file], id) => ({
      id,
      path: path as TrashRow['path'],
      hash: hash as TrashRow['hash'],
      sizeBytes: sizeBytes as number,
      why: why as TrashRow['why'],
      at: at as number,
      file: file as string,
    }),
  },
);

/** Used by a rename of a file, and when a file becomes private. */
export const trashByPath = 'CREATE INDEX IF NOT EXISTS trash_by_path ON trash (path)';
