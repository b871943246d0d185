import { listBackups, locationsIn, type Manifest, RejectedBackup, readManifest } from './manifest.ts';
import { missingOf, neededObjects } from './needed-objects.ts';
import { type ObjectFolder, openObjectFolder } from './object-folder.ts';

/** The state of a backup in a directory. */
export interface SeenBackup {
  readonly name: string;
  /** Null if it cannot be read; the backup is then unusable. */
  readonly manifest: Manifest | null;
  /** Required objects that are missing or damaged. */
  readonly missing: readonly string[];
  /** Some of these belong to its database, so it cannot be restored. */
  readonly isDatabaseDamaged: boolean;
}

/**
 * Examines every backup of a directory, oldest first, without changing anything. It may run at the same time as a
 * backup or a prune.
 * @param readObjects whether to read each required object, rather than only checking that it exists
 */
export async function lookAtBackups(
  directory: string,
  readObjects: boolean,
  progress: (step: string) => void,
): Promise<readonly SeenBackup[]> {
  const objects = openObjectFolder(locationsIn(directory).objects);
  const there = await kept(objects);
  const read = new Set<string>();
  const seen: SeenBackup[] = [];
  for (const name of await listBackups(directory)) {
    progress(`the backup ${name}`);
    const manifest = await manifestOf(directory, name);
    if (manifest === null) {
      seen.push({ name, manifest, missing: [], isDatabaseDamaged: true });
      continue;
    }
    const needed = await neededObjects(objects, manifest);
    if (needed.lostList !== null) there.delete(needed.lostList.hash);
    for (const hash of readObjects ? needed.hashes : []) {
      if (read.has(hash) || !there.has(hash)) continue;
      if (!(await objects.isRight(hash))) there.delete(hash);
      read.add(hash);
      progress(`the backup ${name}: ${read.size} objects read`);
    }
    const chunks = manifest.database.kind === 'sqlite' ? manifest.database.pieces : [];
    const isDatabaseDamaged = chunks.some((chunk) => !there.has(chunk));
    seen.push({ name, manifest, missing: missingOf(needed, manifest, there), isDatabaseDamaged });
  }
  // A backup that was pruned in between is not incomplete.
  const names = new Set(await listBackups(directory));
  return seen.filter(({ name }) => names.has(name));
}

async function kept(objects: ObjectFolder): Promise<Set<string>> {
  const hashes = new Set<string>();
  for await (const hash of objects.list()) hashes.add(hash);
  return hashes;
}

/** @returns null if it is damaged */
async function manifestOf(directory: string, name: string): Promise<Manifest | null> {
  try {
    return await readManifest(directory, name);
  } catch (error) {
    if (error instanceof RejectedBackup) return null;
    throw error;
  }
}
