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
      /** The file in pieces of equal length, in order: a later backup copies those alone that changed. */
      pieces: z.array(hash),
    }),
    /** Backed up by its own tools, before this. */
    z.object({
      kind: z.literal('postgres'),
      /**
       * By the database's clock: of a database as it was then, or earlier, all large contents are here. Older backups do not
       * say.
       */
      moment: z.string().optional(),
    }),
  ]),
  /** By which the nodes know where their large contents are. */
  placeId: z.string().nullable(),
  /** Signs sessions, where it is kept in the data directory. */
  sessionSecret: z.string().nullable(),
  contents: z.object({
    /** Of large contents that the database names. */
    count: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
    /** Those that could not be read, or were not what they must be: they are not in the backup. */
    lost: z.array(z.object({ workspaceId: z.string(), contentHash: hash })),
    /**
     * An object that has the hashes of all large contents which the database names, in order, a line each: what a prune must
     * leave. Backups from before there was a prune have none.
     */
    list: hash.optional(),
  }),
});

/** What a backup consists of. The contents themselves are by their hash beside it. */
export type Manifest = z.infer<typeof manifestShape>;

/** A backup or a restore that cannot be done; its message says why, and what to do. */
export class RefusedBackup extends Error {
  override readonly name = 'RefusedBackup';
}

/**
 * Lets one process at a time work with a file's folder. SQLite locks the file for us: the lock ends with the process,
 * however that ends, so that none is ever left behind.
 * @throws RefusedBackup with `refusal` while another process has it.
 */
export function lockFile(file: string, refusal: string): Disposable {
  const lock = new DatabaseSync(file);
  try {
    // A journal on the disk could not be made where that is full.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (sqliteFailureOf(error)?.kind !== 'busy') throw error;
    throw new RefusedBackup(refusal, { cause: error });
  }
  return { [Symbol.dispose]: () => lock.close() };
}

const suffix = '.json';

/** Where the parts of a backup directory are. */
export const placesIn = (directory: string) => ({
  objects: join(directory, 'objects'),
  backups: join(directory, 'backups'),
  staging: join(directory, 'database.staging'),
  lock: join(directory, '.lock'),
});

const nameOf = ({ madeAt }: Manifest) => madeAt.replaceAll(':', '-');

export const manifestFile = (directory: string, name: string) =>
  join(placesIn(directory).backups, `${name}${suffix}`);

/** Whether the backup is still there: a prune that goes on meanwhile removes it before anything that it needs. */
export async function isThere(directory: string, manifest: Manifest): Promise<boolean> {
  return (await listBackups(directory)).includes(nameOf(manifest));
}

/** Durable, whole or not at all: a backup is there once its manifest is. @returns its name. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<string> {
  const { backups } = placesIn(directory);
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

/** The names of the backups in a directory, oldest first; none where it is not a backup directory. */
export async function listBackups(directory: string): Promise<readonly string[]> {
  const names = await readdir(placesIn(directory).backups).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .map((name) => name.slice(0, -suffix.length))
    .toSorted();
}

/** @throws RefusedBackup when the file is not a manifest that this program understands. */
export async function readManifest(directory: string, name: string): Promise<Manifest> {
  const file = manifestFile(directory, name);
  const parsed = manifestShape.safeParse(parsedJson(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new RefusedBackup(
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

/** Whether an error says that there is no such file. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
