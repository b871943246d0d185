import type { Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';

/**
 * Number of paths flushed together. During a plan, a flush starts at this number, or after `flushEveryMs` with fewer.
 */
export const flushBatch = 256;
export const flushEveryMs = 5000;

/** Flushes files that were created without it, so that they survive a power failure. */
export async function flushPlaced({ folder, memory, unflushed }: Engine): Promise<void> {
  const paths = [...unflushed];
  unflushed.clear();
  const { base } = memory.state;
  for (let at = 0; at < paths.length; at += flushBatch) {
    const batch = paths.slice(at, at + flushBatch);
    const placed = new Map(
      batch.flatMap((path) => {
        const row = base.get(path);
        return row === undefined ? [] : [[row.localName ?? path, { path, stamp: row.stamp }] as const];
      }),
    );
    const flushed = await folder.flush([...placed.keys()]);
    const changes = flushed.flatMap((diskPath): StateChange[] => {
      const known = placed.get(diskPath);
      const row = known === undefined ? undefined : base.get(known.path);
      // Another file may have been created there in the meantime, which is not flushed yet.
      return known === undefined || row?.stamp !== known.stamp
        ? []
        : [{ table: 'base', path: known.path, row: { ...row, isFlushed: true } }];
    });
    await memory.commit(changes, 'grouped');
  }
}
