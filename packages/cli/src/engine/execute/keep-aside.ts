import { type BaseFile, conflictedCopyPaths, type WorkspacePath } from '@stoa/core';
import { renamedCopy } from '../conflict-rows.ts';
import { diskPathOf, type Engine, ownLabel } from '../engine.ts';
import type { TrashedFile } from '../ports/local-folder.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { baseChanges, inSyncChanges } from './base-changes.ts';
import type { PassTally } from './pass-tally.ts';
import { conflictEntry } from './send.ts';

/** Names that are tried; more copies in one second are not made. */
const namesMax = 100;

/** What was written into a file in the last moment, and is in the trash with it. */
interface Written {
  readonly trashed: TrashedFile;
  /** Of its row: gone with the file, or it would stand for what comes to that name in the trash next. */
  readonly trashId: string;
}

/** Takes bytes that nobody else has out of the trash, to the name of a conflicted copy: they are sent from there. */
export async function keepAside(
  engine: Engine,
  path: WorkspacePath,
  { trashed, trashId }: Written,
  tally: PassTally,
): Promise<void> {
  let tried = 0;
  for (const copy of conflictedCopyPaths(path, engine.pace.wallNow(), ownLabel(engine))) {
    tried += 1;
    if (tried > namesMax) return;
    const { base, remote } = engine.memory.state;
    if (base.has(copy) || remote.has(copy)) continue;
    const placed = await engine.folder.putBack(trashed.file, diskPathOf(engine, copy));
    if (placed.kind === 'taken') continue;
    engine.view.touchWay(diskPathOf(engine, copy));
    // Where the disk refuses it, the trash has it: the row of the trash says where.
    if (placed.kind !== 'placed') return;
    const entry = conflictEntry(engine, path, copy, null);
    await engine.memory.commit([renamedCopy(copy, path), outOfTrash(trashId), entry], 'grouped');
    tally.conflicts.push({ path, copy });
    engine.onEvent({ event: 'conflict', path, copy });
    return;
  }
}

const outOfTrash = (id: string): StateChange => ({ table: 'trash', id, row: null });

/**
 * Of bytes that were damaged with the power, and replaced by those that both sides had: who wrote into the file in the
 * last moment edited it, and nobody else did. What was written stands at the path again, and is sent as an edit.
 *
 * @param row what the path has now.
 */
export async function takeBack(
  engine: Engine,
  path: WorkspacePath,
  row: BaseFile,
  written: Written,
  tally: PassTally,
): Promise<void> {
  const { folder, memory } = engine;
  const { stamp, version, hash, sizeBytes, contentType } = row;
  const diskPath = diskPathOf(engine, path);
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  const there = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
  // First written down: a file that is missing here is otherwise one that was deleted.
  await memory.commit(baseChanges(engine, path, null, there), 'grouped');
  const moved = stamp === null ? null : await folder.moveToTrash(diskPath, { stamp, hash });
  const isRoom = moved?.kind === 'displaced' && moved.isAsPlanned;
  const placed = isRoom ? await folder.putBack(written.trashed.file, diskPath) : null;
  if (isRoom && placed?.kind === 'placed') await folder.dropTrashed(moved.trashed.file);
  engine.view.touchWay(diskPath);
  if (placed?.kind !== 'placed') {
    const standing = await folder.readEntry(diskPath, { ns: 0n });
    // Saved once more: an edit of what the path had. What was written before that is in the trash.
    if (standing.kind === 'file') return memory.commit(inSyncChanges(path, row), 'grouped');
    return keepAside(engine, path, written, tally);
  }
  const here = { object: placed.object, mode: placed.mode, stamp: unread(placed.stamp) };
  const changes = [...inSyncChanges(path, { ...row, ...here }), outOfTrash(written.trashId)];
  await memory.commit(changes, 'grouped');
}

/** How long whoever held a replaced file open has for writing into it. */
const lateMs = 5000;

/** Looks once more at what was replaced a while ago. */
export async function checkDisplaced(engine: Engine, tally: PassTally, isLast: boolean): Promise<void> {
  const waiting = engine.displaced.splice(0);
  for (const each of waiting) {
    if (!isLast && engine.pace.now() - each.at < lateMs) {
      engine.displaced.push(each);
      continue;
    }
    const found = await engine.folder.checkTrashed(each.trashed);
    if (found === 'changed') await keepAside(engine, each.path, each, tally);
  }
}
