// docs/decisions/0023-sync-planner.md
import type { BaseFile, Hold, HoldKind, HoldMember, WorkspacePath } from '@stoa/core';
import { diskPathOf, type Engine } from './engine.ts';
import { inspectReplaced } from './execute/fetch.ts';
import type { PassTally } from './execute/pass-tally.ts';
import type { HoldRow, TrashWhy } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';
import { rediscovered } from './rediscovered.ts';

/** @param areAll also counts pending members as confirmed. For a dry run, which confirms nothing for later passes. */
export function confirmedMembers(
  { memory }: Engine,
  areAll = false,
): ReadonlyMap<HoldKind, readonly HoldMember[]> {
  const confirmed = new Map<HoldKind, readonly HoldMember[]>();
  for (const { kind, members, isConfirmed } of memory.state.holds.values()) {
    if (isConfirmed || areAll) confirmed.set(kind, [...(confirmed.get(kind) ?? []), ...members]);
  }
  return confirmed;
}

/** Confirms exactly the members that are pending now. */
export async function confirmHolds({ memory }: Engine): Promise<void> {
  const rows = [...memory.state.holds.values()].filter(({ isConfirmed }) => !isConfirmed);
  await memory.commit(
    rows.flatMap((row): StateChange[] => [
      { table: 'hold', id: row.id, row: null },
      {
        table: 'hold',
        id: `${row.kind}-confirmed`,
        row: { ...row, id: `${row.kind}-confirmed`, isConfirmed: true },
      },
    ]),
    'grouped',
  );
}

/** Replaces the pending confirmations by those of the pass's last plan. Confirmed members are done by then. */
export async function rememberHolds(
  { memory, pace, onEvent }: Engine,
  holds: readonly Hold[],
): Promise<void> {
  const known = memory.state.holds;
  const rows = new Map<string, HoldRow | null>([...known.keys()].map((id) => [id, null]));
  for (const { kind, members } of holds) {
    const since = known.get(kind)?.since ?? pace.wallNow();
    rows.set(kind, { id: kind, kind, members, since, isConfirmed: false });
    if (!known.has(kind)) onEvent({ event: 'held', kind, count: members.length });
  }
  if (rows.size === 0) return;
  const changes = [...rows].map(([id, row]): StateChange => ({ table: 'hold', id, row }));
  await memory.commit(changes, 'grouped');
}

/**
 * Reverts the changes that wait for confirmation. Files deleted here are downloaded again. Files changed here go to the
 * trash and are replaced by the server's. Files deleted on the server are sent again. To do so, it drops the base, so
 * that the next pass compares the paths like new ones.
 */
export async function undoHolds(engine: Engine, tally: PassTally): Promise<void> {
  const { memory } = engine;
  for (const hold of [...memory.state.holds.values()]) {
    // There is no local change to revert. The operator of the server must act.
    if (hold.kind === 'list_disagrees') continue;
    for (const { path } of hold.kind === 'copies' ? [] : hold.members) {
      const row = memory.state.base.get(path);
      if (row === undefined) continue;
      if (hold.kind === 'changes' && row.stamp !== null) await undoChange(engine, path, row, tally);
      else await memory.commit(rediscovered(memory, path, row), 'grouped');
    }
    await memory.commit([{ table: 'hold', id: hold.id, row: null }], 'grouped');
  }
}

/**
 * Moves a file of the base to the trash. The server keeps its file, and the next pass compares the path like a new one.
 */
export async function undoChange(
  engine: Engine,
  path: WorkspacePath,
  row: BaseFile,
  tally: PassTally,
  why: TrashWhy = 'held_undone',
): Promise<void> {
  const { memory, folder, pace } = engine;
  const diskPath = diskPathOf(engine, path);
  const known = memory.state.remote.get(path) ?? null;
  const entry = await folder.readEntry(diskPath, await folder.readDiskTime());
  // Committed first. Otherwise the missing file would count as deleted here.
  await memory.commit(rediscovered(memory, path, row), 'durable');
  if (entry.kind !== 'file') return;
  engine.view.touchWay(diskPath);
  const replaced = await folder.moveToTrash(diskPath, { stamp: entry.stamp, hash: row.hash });
  if (replaced.kind !== 'moved_away') {
    const asBefore: StateChange[] = [
      { table: 'base', path, row },
      { table: 'remote', path, row: known },
    ];
    return memory.commit(asBefore, 'grouped');
  }
  const { file, sizeBytes } = replaced.trashed;
  const id = pace.newId();
  const trashed = { id, path, hash: null, sizeBytes, why, at: pace.wallNow(), file } as const;
  await memory.commit([{ table: 'trash', id, row: trashed }], 'grouped');
  await inspectReplaced(engine, path, { replaced, trashId: id }, tally);
}
