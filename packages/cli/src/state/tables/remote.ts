import type { RemoteFile, RemoteState, WorkspacePath } from '@stoa/core';
import { rowTable } from './table.ts';

export const remote = rowTable<WorkspacePath, RemoteState>(
  'remote',
  [
    'path TEXT PRIMARY KEY',
    "kind TEXT NOT NULL CHECK (kind IN ('file', 'absent', 'hidden'))",
    'version INTEGER',
    'hash TEXT',
    'size INTEGER',
    'type TEXT',
    'moved_from TEXT',
    'conflict_of TEXT',
    'seq INTEGER',
  ],
  {
    toValues: (state) =>
      state.kind === 'file'
        ? [
            'file',
            state.version,
            state.hash,
            state.sizeBytes,
            state.contentType,
            state.movedFrom,
            state.conflictOf,
            state.seq,
          ]
        : [state.kind, null, null, null, null, null, null, null],
    fromValues: ([, kind, version, hash, sizeBytes, contentType, movedFrom, conflictOf, seq]) =>
      kind === 'file'
        ? {
            kind,
            version: version as number,
            hash: hash as RemoteFile['hash'],
            sizeBytes: sizeBytes as number | null,
            contentType: contentType as string | null,
            movedFrom: movedFrom as RemoteFile['movedFrom'],
            conflictOf: conflictOf as RemoteFile['conflictOf'],
            seq: seq as number,
          }
        : { kind: kind as 'absent' | 'hidden' },
  },
);

/** Feed number of the record by the path that was made private. */
export const revoked = rowTable<WorkspacePath, number>(
  'revoked',
  ['path TEXT PRIMARY KEY', 'seq INTEGER NOT NULL'],
  { toValues: (seq) => [seq], fromValues: ([, seq]) => seq as number },
);
