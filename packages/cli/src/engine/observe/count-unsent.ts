import type { LocalFolder } from '../ports/local-folder.ts';
import type { StoredState } from '../ports/state-rows.ts';
import { isOfBase } from '../stamps.ts';
import { FolderView } from './folder-view.ts';

/** Counts files that are new, changed or missing here since both sides were equal, and unfinished operations. */
export async function countUnsent(
  folder: LocalFolder,
  { base, intents }: Pick<StoredState, 'base' | 'intents'>,
): Promise<number> {
  const rules = await folder.readIgnoreRules();
  const { files, obstacles, isHealthy } = await new FolderView().scan(folder, rules, base);
  let unsent = intents.size;
  for (const [path, { diskPath, stamp }] of files) {
    const row = base.get(path);
    if (isOfBase(row?.stamp, stamp)) continue;
    const read = row === undefined ? null : await folder.hashFile(diskPath, stamp);
    if (read?.kind !== 'hashed' || read.hash !== row?.hash) unsent += 1;
  }
  for (const [path, { stamp }] of isHealthy ? base : []) {
    const isThere = stamp === null || files.has(path) || obstacles.has(path);
    if (!isThere && !rules.isIgnored(path, 'file')) unsent += 1;
  }
  return unsent;
}
