import { conflictedCopyPaths, type WorkspacePath } from '@stoa/core';
import { diskPathOf, type Engine, ownLabel } from '../engine.ts';
import type { TrashedFile } from '../ports/local-folder.ts';
import type { PassTally } from './pass-tally.ts';
import { conflictEntry } from './send.ts';

/** Names that are tried; more copies in one second are not made. */
const namesMax = 100;

/** Takes bytes that nobody else has out of the trash, to the name of a conflicted copy: they are sent from there. */
export async function keepAside(
  engine: Engine,
  path: WorkspacePath,
  { file }: TrashedFile,
  tally: PassTally,
): Promise<void> {
  let tried = 0;
  for (const copy of conflictedCopyPaths(path, engine.pace.wallNow(), ownLabel(engine))) {
    tried += 1;
    if (tried > namesMax) return;
    const { base, remote } = engine.memory.state;
    if (base.has(copy) || remote.has(copy)) continue;
    const placed = await engine.folder.putBack(file, diskPathOf(engine, copy));
    if (placed.kind === 'taken') continue;
    engine.view.touchWay(diskPathOf(engine, copy));
    // Where the disk refuses it, the trash has it: the row of the trash says where.
    if (placed.kind !== 'placed') return;
    await engine.memory.commit([conflictEntry(engine, path, copy, null)], 'grouped');
    tally.conflicts.push({ path, copy });
    engine.onEvent({ event: 'conflict', path, copy });
    return;
  }
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
    if (found === 'changed') await keepAside(engine, each.path, each.trashed, tally);
  }
}
