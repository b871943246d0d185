import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';

/** Bytes are not those whose hash they are called by. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/** Contents by their SHA-256 in a backup: each is there whole and durable, or it is not there. */
export interface ObjectFolder {
  /** Removes what an interrupted backup left that was not whole. */
  clearStaging(): Promise<void>;
  /** In bytes; null where there is none. */
  sizeOf(hash: string): Promise<number | null>;
  /**
   * Keeps bytes under their hash, durable when it resolves.
   * @throws WrongBytes when they have another hash; then nothing is kept.
   */
  keep(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** @throws WrongBytes at the end, when what was read has another hash; `ENOENT` when there is none. */
  read(hash: string): AsyncGenerator<Uint8Array>;
}

const shardLength = 2;
const readBytes = 1024 * 1024;

export function openObjectFolder(folder: string): ObjectFolder {
  const staging = join(folder, '.staging');
  const made = new Set<string>();
  const placeOf = (hash: string) => ({ shard: join(folder, hash.slice(0, shardLength)), name: hash });
  const fail = () => {};

  return {
    async clearStaging() {
      await rm(staging, { recursive: true, force: true });
      await mkdir(staging, { recursive: true, mode: 0o700 });
    },
    async sizeOf(hash) {
      const { shard, name } = placeOf(hash);
      return (await stat(join(shard, name)).catch(() => null))?.size ?? null;
    },
    async keep(hash, bytes) {
      const { shard, name } = placeOf(hash);
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
        refuseOther(seen, hash);
        if (!made.has(shard)) {
          await mkdir(shard, { recursive: true, mode: 0o700 });
          await syncFolder(folder, fail);
          made.add(shard);
        }
        await rename(staged, join(shard, name));
        await syncFolder(shard, fail);
      } finally {
        await rm(staged, { force: true });
      }
    },
    async *read(hash) {
      const { shard, name } = placeOf(hash);
      const seen = createHash('sha256');
      for await (const chunk of createReadStream(join(shard, name), { highWaterMark: readBytes })) {
        seen.update(chunk);
        yield chunk;
      }
      refuseOther(seen, hash);
    },
  };
}

function refuseOther(seen: Hash, hash: string): void {
  const found = seen.digest('hex');
  if (found !== hash) throw new WrongBytes(`the bytes called ${hash} have the hash ${found}`);
}
