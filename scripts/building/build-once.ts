import { createHash, randomUUID } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
/** On the same file system as all places: what is made here is moved to its place whole. */
const workshop = join(root, 'node_modules/.cache');

export interface Build {
  /** The folder that the build is in the end. */
  readonly place: string;
  /** All that it depends on, as globs from the root. The libraries are those that the lock file names. */
  readonly sources: readonly string[];
  /** Builds into a folder that is not there yet. */
  readonly make: (folder: string) => Promise<void>;
}

/** Says of which sources a build is. */
const mark = '.sources';
const attempts = 3;

/**
 * Builds, unless what is there is of these sources already.
 * @returns how long it took in milliseconds; null where nothing was to do.
 */
export async function buildOnce({ place, sources, make }: Build): Promise<number | null> {
  const startedAt = performance.now();
  const wanted = await hashOfSources(sources);
  if ((await markOf(place)) === wanted) return null;
  const made = join(workshop, `build-${randomUUID()}`);
  await mkdir(workshop, { recursive: true });
  await mkdir(dirname(place), { recursive: true });
  try {
    await make(made);
    await writeFile(join(made, mark), wanted);
    await moveIntoPlace(made, place, wanted);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return performance.now() - startedAt;
}

/** Removes a build that is not of these sources, where nothing can build another. */
export async function removeStale({ place, sources }: Pick<Build, 'place' | 'sources'>): Promise<void> {
  if ((await markOf(place)) !== (await hashOfSources(sources)))
    await rm(place, { recursive: true, force: true });
}

/** Whether there is a tool that only development needs, for the package in a folder. */
export function isInstalled(tool: string, folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve(tool);
    return true;
  } catch {
    return false;
  }
}

async function hashOfSources(sources: readonly string[]): Promise<string> {
  const files = (await Array.fromAsync(glob([...sources], { cwd: root, withFileTypes: true })))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const all = createHash('sha256');
  for (const file of files.toSorted()) {
    all.update(`${file}\0`).update(
      createHash('sha256')
        .update(await readFile(join(root, file)))
        .digest(),
    );
  }
  return all.digest('hex');
}

async function markOf(build: string): Promise<string | null> {
  return await readFile(join(build, mark), 'utf8').catch(() => null);
}

/** Two processes may build at the same time: whichever comes second finds the place taken by the same build. */
async function moveIntoPlace(made: string, place: string, wanted: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const old = join(workshop, `build-old-${randomUUID()}`);
    await rename(place, old).catch(() => {});
    await rm(old, { recursive: true, force: true });
    try {
      await rename(made, place);
      return;
    } catch (error) {
      if ((await markOf(place)) === wanted) return;
      if (attempt === attempts) throw error;
    }
  }
}
