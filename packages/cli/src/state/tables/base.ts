import type { BaseFile, BaseFolder, WorkspacePath } from '@stoa/core';
import { rowTable } from './table.ts';

export const base = rowTable<WorkspacePath, BaseFile>(
  'base',
  [
    'path TEXT PRIMARY KEY',
    'local_name TEXT',
    'version INTEGER NOT NULL',
    'hash TEXT NOT NULL',
    'size INTEGER NOT NULL',
    'type TEXT NOT NULL',
    'stamp TEXT',
    'object TEXT',
    'mode INTEGER NOT NULL',
    'flushed INTEGER NOT NULL',
  ],
  {
    toValues: (file) => [
      file.localName,
      file.version,
      file.hash,
      file.sizeBytes,
      file.contentType,
      file.stamp,
      file.object,
      file.mode,
      file.isFlushed ? 1 : 0,
    ],
    fromValues: ([, localName, version, hash, sizeBytes, contentType, stamp, object, mode, flushed]) => ({
      localName: localName as string | null,
      version: version as number,
      hash: hash as BaseFile['hash'],
      sizeBytes: sizeBytes as number,
      contentType: contentType as string,
      stamp: stamp as BaseFile['stamp'],
      object: object as BaseFile['object'],
      mode: mode as number,
      isFlushed: flushed === 1,
    }),
  },
);

export const folder = rowTable<WorkspacePath, BaseFolder>(
  'folder',
  ['path TEXT PRIMARY KEY', 'object TEXT'],
  {
    toValues: ({ object }) => [object],
    fromValues: ([, object]) => ({ object: object as BaseFolder['object'] }),
  },
);
