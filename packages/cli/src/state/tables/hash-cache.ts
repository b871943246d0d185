import type { CachedHash } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const hashCache = rowTable<string, CachedHash>(
  'hash_cache',
  ['path TEXT PRIMARY KEY', 'stamp TEXT NOT NULL', 'hash TEXT NOT NULL', 'size INTEGER NOT NULL'],
  {
    toValues: ({ stamp, hash, sizeBytes }) => [stamp, hash, sizeBytes],
    fromValues: ([, stamp, hash, sizeBytes]) => ({
      stamp: stamp as CachedHash['stamp'],
      hash: hash as CachedHash['hash'],
      sizeBytes: sizeBytes as number,
    }),
  },
);
