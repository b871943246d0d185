import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import { sqliteFailureOf } from '../storage/sqlite/sqlite-executor.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifestShape = z.object({
  format: z.literal('stoa-backup-1'),
  /** ISO, in UTC. */
  madeAt: z.iso.datetime(),
  database: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('sqlite'),
      bytes: z.int().nonnegative(),
      sha256: hash,
      /** The file in chunks of equal length, in order. A later backup copies only the changed ones. */
      pieces: z.array(hash),
    }),
    /** Backed up before this with its own tools. */
    z.object({
      kind: z.literal('postgres'),
      /**
       * By the database's clock: the backup has all large contents of a database as it was then or earlier. Absent in
       * older backups.
       */
      moment: z.string().optional(),
    }),
  ]),
  /** Identifies the location of large contents for the nodes. */
  placeId: z.string().nullable(),
  /** The secret that signs sessions, if it is in the data directory. */
  sessionSecret: z.string().nullable(),
  contents: z.object({
    /** Number of large contents that the database names. */
    count: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
    /** Contents that were unreadable or damaged, and are not in the backup. */
    lost: z.array(z.object({ workspaceId: z.string(), contentHash: hash })),
    /**
     * An object with the sorted hashes of all large contents of the database, one a line, which a prune must keep.
     * Absent in backups from before pruning existed.
     */
    list: hash.optional(),
  }),
});

/** The parts of a backup. The contents themselves are objects named by their hash. */
export type Manifest = z.infer<typeof manifestShape>;

/** A backup or a restore that is impossible. Its message says why, and what to do. */
export class RejectedBackup extends Error {
  override readonly name = 'RejectedBackup';
}

/**
 * Locks the folder of a file for this process. The lock is a SQLite lock, which ends with the process in any case, so
 * that no stale lock is left.
 * @throws RejectedBackup with `rejection` while another process has it
 */
export function lockFile(file: string, rejection: string): Disposable {
  const lock = new DatabaseSync(file);
  try {
    // A journal on disk could not be created on a full disk.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (sqliteFailureOf(error)?.kind !== 'busy') throw error;
    throw new RejectedBackup(rejection, { cause: error });
  }
  return { [Symbol.dispose]: () => lock.close() };
}

const suffix = '.json';

/** The paths in a backup directory. */
export const locationsIn = (directory: string) => ({
  objects: join(directory, 'objects'),
  backups: join(directory, 'backups'),
  staging: join(directory, 'database.staging'),
  lock: join(directory, '.lock'),
});

const nameOf = ({ madeAt }: Manifest) => madeAt.replaceAll(':', '-');

export const manifestFile = (directory: string, name: string) =>
  join(locationsIn(directory).backups, `${name}${suffix}`);

/** Whether the backup still exists: a concurrent prune removes it before its objects. */
export async function isThere(directory: string, manifest: Manifest): Promise<boolean> {
  return (await listBackups(directory)).includes(nameOf(manifest));
}

/** Writes a manifest durably and atomically: it makes the backup exist. @returns its name */
export async function writeManifest(directory: string, manifest: Manifest): Promise<string> {
  const { backups } = locationsIn(directory);
  const name = nameOf(manifest);
  const staged = join(backups, `.${name}`);
  const handle = await open(staged, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(staged, manifestFile(directory, name));
  await syncFolder(backups, () => {});
  return name;
}

/** Lists the names of the backups in a directory, oldest first; empty if it is not a backup directory. */
export async function listBackups(directory: string): Promise<readonly string[]> {
  const names = await readdir(locationsIn(directory).backups).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .map((name) => name.slice(0, -suffix.length))
    .toSorted();
}

/** @throws RejectedBackup if this program does not understand the file */
export async function readManifest(directory: string, name: string): Promise<Manifest> {
  const file = manifestFile(directory, name);
  const parsed = manifestShape.safeParse(parsedJson(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new RejectedBackup(
    `${file} is damaged, or of a newer release: take another backup (--at), or that release.`,
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether an error means that a file does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
