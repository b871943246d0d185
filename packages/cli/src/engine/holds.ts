// docs/decisions/0051-holds.md
import type { BaseFile, Hold, HoldKind, HoldMember, WorkspacePath } from '@stoa/core';
import { diskPathOf, type Engine } from './engine.ts';
import { lookAtDisplaced } from './execute/fetch.ts';
import type { PassTally } from './execute/pass-tally.ts';
import type { HoldRow } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';

/** @param areAll what is held counts as confirmed, too: a dry run asks so, and confirms nothing for those that follow. */
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

/** Lets exactly what is held now through. */
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

/** What the last plan of a pass holds takes the place of what was held before; what was confirmed is done by then. */
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
 * Takes back what is held: what was deleted here comes again, what was changed here goes to the trash and is replaced by
 * the server's, and what the server deleted is sent again. All of it by dropping the base: the paths are then met as for
 * the first time.
 */
export async function undoHolds(engine: Engine, tally: PassTally): Promise<void> {
  const { memory } = engine;
  for (const hold of [...memory.state.holds.values()]) {
    // Nothing was done here that could be taken back: it waits for whoever looks after the server.
    if (hold.kind === 'list_disagrees') continue;
    for (const { path } of hold.kind === 'copies' ? [] : hold.members) {
      const row = memory.state.base.get(path);
      if (row === undefined) continue;
      if (hold.kind === 'changes' && row.stamp !== null) await undoChange(engine, path, row, tally);
      else await memory.commit(metAnew(engine, path, row), 'grouped');
    }
    await memory.commit([{ table: 'hold', id: hold.id, row: null }], 'grouped');
  }
}

function metAnew({ memory }: Engine, path: WorkspacePath, row: BaseFile): StateChange[] {
  const { version, hash, sizeBytes, contentType } = row;
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  const asBase = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
  const there = memory.state.remote.get(path) ?? asBase;
  return [
    { table: 'base', path, row: null },
    { table: 'remote', path, row: there.kind === 'absent' ? null : there },
  ];
}

async function undoChange(
  engine: Engine,
  path: WorkspacePath,
  row: BaseFile,
  tally: PassTally,
): Promise<void> {
  const { memory, folder, pace } = engine;
  const diskPath = diskPathOf(engine, path);
  const known = memory.state.remote.get(path) ?? null;
  const entry = await folder.readEntry(diskPath, await folder.readDiskTime());
  // First written down: a file that is missing here is otherwise one that was deleted.
  await memory.commit(metAnew(engine, path, row), 'durable');
  if (entry.kind !== 'file') return;
  engine.view.touchWay(diskPath);
  const displaced = await folder.moveToTrash(diskPath, { stamp: entry.stamp, hash: row.hash });
  if (displaced.kind !== 'displaced') {
    const asBefore: StateChange[] = [
      { table: 'base', path, row },
      { table: 'remote', path, row: known },
    ];
    return memory.commit(asBefore, 'grouped');
  }
  const { file, sizeBytes } = displaced.trashed;
  const id = pace.newId();
  const trashed = { id, path, hash: null, sizeBytes, why: 'held_undone', at: pace.wallNow(), file } as const;
  await memory.commit([{ table: 'trash', id, row: trashed }], 'grouped');
  await lookAtDisplaced(engine, path, { displaced, trashId: id }, tally);
}
