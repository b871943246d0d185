import type { WorkspacePath } from '@stoa/core';
import type { FolderMove, Intent } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const intent = rowTable<string, Intent>(
  'intent',
  [
    'id TEXT PRIMARY KEY',
    'kind TEXT NOT NULL',
    'path TEXT NOT NULL',
    'to_path TEXT',
    'version INTEGER',
    'hash TEXT',
    'stamp TEXT',
    'staging TEXT',
    'seq0 INTEGER NOT NULL',
    'step TEXT NOT NULL',
    'copy_path TEXT',
  ],
  {
    toValues: (row) => [
      row.kind,
      row.path,
      row.toPath,
      row.version,
      row.hash,
      row.stamp,
      row.staging,
      row.seq0,
      row.step,
      row.copyPath,
    ],
    fromValues: ([, kind, path, toPath, version, hash, stamp, staging, seq0, step, copyPath], id) => ({
      id,
      kind: kind as Intent['kind'],
      path: path as WorkspacePath,
      toPath: toPath as WorkspacePath | null,
      version: version as number | null,
      hash: hash as Intent['hash'],
      stamp: stamp as Intent['stamp'],
      staging: staging as string | null,
      seq0: seq0 as number,
      step: step as string,
      copyPath: copyPath as WorkspacePath | null,
    }),
  },
);

export const folderMove = rowTable<string, FolderMove>(
  'folder_move',
  ['id TEXT PRIMARY KEY', 'from_path TEXT NOT NULL', 'to_path TEXT NOT NULL', 'files_left INTEGER NOT NULL'],
  {
    toValues: ({ from, to, left }) => [from, to, left],
    fromValues: ([, from, to, left], id) => ({
      id,
      from: from as WorkspacePath,
      to: to as WorkspacePath,
      left: left as number,
    }),
  },
);
