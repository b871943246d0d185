import { createHash, randomUUID } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
/** On the same file system as all build folders, so that a finished build can be renamed to its final folder. */
const workshop = join(root, 'node_modules/.cache');

export interface Build {
  /** The folder of the finished build. */
  readonly folder: string;
  /** All sources of the build, as globs from the root. The lock file stands for the libraries. */
  readonly sources: readonly string[];
  /** Builds into a folder that does not exist yet. */
  readonly make: (folder: string) => Promise<void>;
}

/** The file with the hash of a build's sources. */
const mark = '.sources';
const attempts = 3;

/**
 * Builds, unless the existing build has the same sources.
 * @returns the duration in milliseconds; null if the build was current.
 */
export async function buildOnce({ folder: location, sources, make }: Build): Promise<number | null> {
  const startedAt = performance.now();
  const wanted = await hashOfSources(sources);
  if ((await markOf(location)) === wanted) return null;
  const made = join(workshop, `build-${randomUUID()}`);
  await mkdir(workshop, { recursive: true });
  await mkdir(dirname(location), { recursive: true });
  try {
    await make(made);
    await writeFile(join(made, mark), wanted);
    await moveToTarget(made, location, wanted);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return performance.now() - startedAt;
}

/** Removes an outdated build where the tools for a new one are missing. */
export async function removeStale({
  folder: location,
  sources,
}: Pick<Build, 'folder' | 'sources'>): Promise<void> {
  if ((await markOf(location)) !== (await hashOfSources(sources)))
    await rm(location, { recursive: true, force: true });
}

/** Whether a development tool is installed for the package in a folder. */
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

/** Moves a build to its folder. Two processes may build at the same time: the second one finds the same build there. */
async function moveToTarget(made: string, location: string, wanted: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const old = join(workshop, `build-old-${randomUUID()}`);
    await rename(location, old).catch(() => {});
    await rm(old, { recursive: true, force: true });
    try {
      await rename(made, location);
      return;
    } catch (error) {
      if ((await markOf(location)) === wanted) return;
      if (attempt === attempts) throw error;
    }
  }
}
