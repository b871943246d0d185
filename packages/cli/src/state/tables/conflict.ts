import type { WorkspacePath } from '@stoa/core';
import type { ConflictRow } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const conflict = rowTable<WorkspacePath, ConflictRow>(
  'conflict',
  ['copy_path TEXT PRIMARY KEY', 'of_path TEXT NOT NULL'],
  {
    toValues: ({ ofPath }) => [ofPath],
    fromValues: ([, ofPath], copyPath) => ({ copyPath, ofPath: ofPath as WorkspacePath }),
  },
);
