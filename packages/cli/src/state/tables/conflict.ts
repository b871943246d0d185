import type { ContentHash, WorkspacePath } from '@stoa/core';
import type { ConflictRow } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const conflict = rowTable<WorkspacePath, ConflictRow>(
  'conflict',
  ['copy_path TEXT PRIMARY KEY', 'of_path TEXT NOT NULL', 'base_version INTEGER', 'base_hash TEXT'],
  {
    toValues: ({ ofPath, base }) => [ofPath, base?.version ?? null, base?.hash ?? null],
    fromValues: ([, ofPath, version, hash], copyPath) => ({
      copyPath,
      ofPath: ofPath as WorkspacePath,
      base: version === null ? null : { version: version as number, hash: hash as ContentHash },
    }),
  },
);
