import type { BaseFile, WorkspacePath } from '@stoa/core';
import type { Memory } from './memory.ts';
import type { StateChange } from './ports/state-store.ts';

/** Removes a path from the base. The next comparison treats it like a new path. */
export function rediscovered({ state }: Memory, path: WorkspacePath, row: BaseFile): StateChange[] {
  const { version, hash, sizeBytes, contentType } = row;
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  const asBase = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
  const there = state.remote.get(path) ?? asBase;
  return [
    { table: 'base', path, row: null },
    { table: 'remote', path, row: there.kind === 'absent' ? null : there },
  ];
}
