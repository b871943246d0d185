// Prune removes only objects that no kept backup names.
import { rm } from 'node:fs/promises';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import { decideKept, type KeepRule, type KeptBackup } from './decide-kept.ts';
import {
  listBackups,
  locationsIn,
  lockFile,
  type Manifest,
  manifestFile,
  RejectedBackup,
  readManifest,
} from './manifest.ts';
import { missingOf, type NeededObjects, neededObjects } from './needed-objects.ts';
import { type ObjectFolder, openObjectFolder } from './object-folder.ts';

export interface PruneReport {
  readonly kept: readonly KeptBackup[];
  readonly removed: readonly string[];
  /** Objects that no kept backup needs. */
  readonly objects: { readonly count: number; readonly bytes: number };
  /** Kept backups from before backups had a list of their large contents. While there is one, no object is removed. */
  readonly withoutList: readonly string[];
}

/**
 * Removes the backups that a rule does not keep, then every object that no kept backup needs. A backup is durably
 * gone before its first object is removed. So after an interruption each remaining backup is complete, and the next
 * prune removes leftover objects.
 * @param isDryRun whether to remove nothing
 * @throws RejectedBackup if a backup or another prune is running. It also throws if a backup to keep is incomplete,
 * because a backup that would be removed may be the better one. Nothing is removed then.
 */
export async function pruneBackups(
  directory: string,
  rule: KeepRule,
  isDryRun: boolean,
  progress: (step: string) => void,
): Promise<PruneReport> {
  const locations = locationsIn(directory);
  const lock = lockFile(
    locations.lock,
    `A backup into ${directory}, or another prune of it, is running: wait until it ends.`,
  );
  try {
    const manifests = await readAll(directory);
    const kept = decideKept(
      [...manifests].map(([name, { madeAt, placeId: locationId }]) => ({
        name,
        madeAt,
        placeId: locationId,
      })),
      rule,
    );
    const isKept = new Set(kept.map(({ name }) => name));
    const removed = [...manifests.keys()].filter((name) => !isKept.has(name));
    const objects = openObjectFolder(locations.objects);
    const there = new Set<string>();
    for await (const hash of objects.list()) there.add(hash);
    const needed = new Set<string>();
    const withoutList: string[] = [];
    for (const [name, manifest] of manifests) {
      if (!isKept.has(name)) continue;
      progress(`objects of the backup ${name}`);
      if (manifest.contents.list === undefined) withoutList.push(name);
      const needs = await neededObjects(objects, manifest);
      rejectIncomplete(name, manifest, needs, there);
      for (const hash of needs.hashes) needed.add(hash);
    }
    const leftOver = withoutList.length > 0 ? [] : [...there.difference(needed)];
    let bytes = 0;
    for (const hash of leftOver) bytes += (await objects.sizeOf(hash)) ?? 0;
    if (!isDryRun) await remove(directory, removed, objects, leftOver, progress);
    return { kept, removed, objects: { count: leftOver.length, bytes }, withoutList };
  } finally {
    lock[Symbol.dispose]();
  }
}

/** By name, oldest first. */
async function readAll(directory: string): Promise<ReadonlyMap<string, Manifest>> {
  const manifests = new Map<string, Manifest>();
  for (const name of await listBackups(directory)) {
    try {
      manifests.set(name, await readManifest(directory, name));
    } catch (error) {
      if (!(error instanceof RejectedBackup)) throw error;
      throw new RejectedBackup(`${error.message} Nothing was removed.`, { cause: error });
    }
  }
  return manifests;
}

/** Contents that were lost before the backup are not missing. */
function rejectIncomplete(
  name: string,
  manifest: Manifest,
  needs: NeededObjects,
  there: ReadonlySet<string>,
): void {
  const { lostList } = needs;
  if (lostList !== null) {
    throw notWhole(name, `its list of contents ${lostList.hash} is missing or damaged`, lostList.cause);
  }
  const missing = missingOf(needs, manifest, there);
  if (missing.length === 0) return;
  throw notWhole(name, `${missing.length} of its objects are missing, among them ${missing[0]}`);
}

function notWhole(name: string, what: string, cause?: unknown): RejectedBackup {
  return new RejectedBackup(
    `The backup ${name} would be kept but is incomplete: ${what}. Nothing was removed. Make another backup with --contents. If you do not need the incomplete one, remove its file ${name}.json by hand.`,
    { cause },
  );
}

async function remove(
  directory: string,
  backups: readonly string[],
  objects: ObjectFolder,
  hashes: readonly string[],
  progress: (step: string) => void,
): Promise<void> {
  for (const name of backups) {
    progress(`removing the backup ${name}`);
    await rm(manifestFile(directory, name));
  }
  // If an object went first, a power failure could leave an incomplete backup.
  await syncFolder(locationsIn(directory).backups, () => {});
  for (const [at, hash] of hashes.entries()) {
    progress(`removing object ${at + 1} of ${hashes.length}`);
    await objects.remove(hash);
  }
}
