import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, syncFolder } from '../storage/blobs/disk/durable-folders.ts';

/** The bytes do not have the hash in their name. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/** Contents by their SHA-256 in a backup, each stored atomically. */
export interface ObjectFolder {
  /** Removes incomplete files of an interrupted backup. */
  clearStaging(): Promise<void>;
  /** In bytes; null if it does not exist. */
  sizeOf(hash: string): Promise<number | null>;
  /**
   * Stores bytes under their hash. Their name is on disk after `makeDurable`.
   * @throws WrongBytes if they have another hash; then nothing is stored
   */
  keep(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Resolves when every object is on disk under its name, including those of an interrupted backup. */
  makeDurable(): Promise<void>;
  /** Lists all objects in any order. Skips other files. */
  list(): AsyncGenerator<string>;
  remove(hash: string): Promise<void>;
  /** Whether the object has the bytes of its hash. */
  isRight(hash: string): Promise<boolean>;
  /** @throws WrongBytes at the end, if the bytes have another hash; `ENOENT` if the object does not exist */
  read(hash: string): AsyncGenerator<Uint8Array>;
}

const shardLength = 2;
const shardShape = /^[0-9a-f]{2}$/;
const hashShape = /^[0-9a-f]{64}$/;
const readBytes = 1024 * 1024;

export function openObjectFolder(folder: string): ObjectFolder {
  const staging = join(folder, '.staging');
  const locationOf = (hash: string) => ({ shard: join(folder, hash.slice(0, shardLength)), name: hash });
  const read = async function* (hash: string) {
    const { shard, name } = locationOf(hash);
    const seen = createHash('sha256');
    for await (const chunk of createReadStream(join(shard, name), { highWaterMark: readBytes })) {
      seen.update(chunk);
      yield chunk;
    }
    rejectOther(seen, hash);
  };

  return {
    async clearStaging() {
      await rm(staging, { recursive: true, force: true });
      await makeFolders(staging);
    },
    async sizeOf(hash) {
      const { shard, name } = locationOf(hash);
      return (await stat(join(shard, name)).catch(() => null))?.size ?? null;
    },
    async keep(hash, bytes) {
      const { shard, name } = locationOf(hash);
      const staged = join(staging, randomBytes(12).toString('hex'));
      const seen = createHash('sha256');
      try {
        const handle = await open(staged, 'wx', 0o600);
        try {
          for await (const chunk of bytes) {
            seen.update(chunk);
            await handle.writeFile(chunk);
          }
          await handle.sync();
        } finally {
          await handle.close();
        }
        rejectOther(seen, hash);
        await mkdir(shard, { recursive: true, mode: 0o700 });
        await rename(staged, join(shard, name));
      } finally {
        await rm(staged, { force: true });
      }
    },
    async makeDurable() {
      for (const shard of await readdir(folder)) await syncFolder(join(folder, shard), () => {});
      await syncFolder(folder, () => {});
    },
    async *list() {
      const shards = (await readdir(folder)).filter((name) => shardShape.test(name));
      for (const shard of shards) {
        const names = await readdir(join(folder, shard));
        yield* names.filter((name) => hashShape.test(name) && name.startsWith(shard));
      }
    },
    async remove(hash) {
      const { shard, name } = locationOf(hash);
      await rm(join(shard, name), { force: true });
    },
    async isRight(hash) {
      try {
        for await (const chunk of read(hash)) void chunk;
        return true;
      } catch (error) {
        if (error instanceof WrongBytes || isUnreadable(error)) return false;
        throw error;
      }
    },
    read,
  };
}

/** Whether the disk reports that it cannot read the bytes. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EIO';
}

function rejectOther(seen: Hash, hash: string): void {
  const found = seen.digest('hex');
  if (found !== hash) throw new WrongBytes(`the bytes called ${hash} have the hash ${found}`);
}
