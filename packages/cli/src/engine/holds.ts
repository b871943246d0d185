// docs/decisions/0051-holds.md
import type { Hold, HoldKind, HoldMember } from '@stoa/core';
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
  const { memory, folder, pace } = engine;
  const { base, holds, remote } = memory.state;
  for (const hold of [...holds.values()]) {
    // Nothing was done here that could be taken back: it waits for whoever looks after the server.
    if (hold.kind === 'list_disagrees') continue;
    for (const { path } of hold.members) {
      const row = base.get(path);
      if (row === undefined || hold.kind === 'copies') continue;
      const changes: StateChange[] = [];
      if (hold.kind === 'changes' && row.stamp !== null) {
        const diskPath = diskPathOf(engine, path);
        const entry = await folder.readEntry(diskPath, await folder.readDiskTime());
        if (entry.kind === 'file') {
          engine.view.touchWay(diskPath);
          const displaced = await folder.moveToTrash(diskPath, { stamp: entry.stamp, hash: row.hash });
          if (displaced.kind !== 'displaced') continue;
          const { file, sizeBytes } = displaced.trashed;
          const id = pace.newId();
          const why = 'held_undone';
          changes.push({
            table: 'trash',
            id,
            row: { id, path, hash: null, sizeBytes, why, at: pace.wallNow(), file },
          });
          await lookAtDisplaced(engine, path, displaced, tally);
        }
      }
      const { version, hash, sizeBytes, contentType } = row;
      const origin = { movedFrom: null, conflictOf: null, seq: 0 };
      const asBase = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
      const there = remote.get(path) ?? asBase;
      changes.push({ table: 'base', path, row: null });
      changes.push({ table: 'remote', path, row: there.kind === 'absent' ? null : there });
      await memory.commit(changes, 'grouped');
    }
    await memory.commit([{ table: 'hold', id: hold.id, row: null }], 'grouped');
  }
}
