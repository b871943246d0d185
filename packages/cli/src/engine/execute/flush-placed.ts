import type { Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';

/** Paths that are flushed at once. While a plan is carried out, so many are flushed beside it, and what is there by then. */
export const flushBatch = 256;
export const flushEveryMs = 5000;

/** What was put in place without a flush survives a loss of power from here on. */
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
      // Another file may have been put there meanwhile: that one is not flushed yet.
      return known === undefined || row?.stamp !== known.stamp
        ? []
        : [{ table: 'base', path: known.path, row: { ...row, isFlushed: true } }];
    });
    await memory.commit(changes, 'grouped');
  }
}
