import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { chmod, copyFile, constants as copyModes, lstat, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentHash } from '@stoa/core';
import {
  type Changed,
  type DiskPath,
  DiskRejectedError,
  type DiskRejection,
  type Staged,
  type StagedFile,
} from '../engine/ports/local-folder.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import { createGatheredWriter } from './gathered-writer.ts';
import { look, type Root } from './root.ts';
import { printOf } from './stamp.ts';

const extension = '.part';
const idForm = /^[A-Za-z0-9-]{1,64}$/;
const quarantineForm = /^aside-(\d+)-(\d+)-(-?\d+)$/;
/** Reserve kept free on the disk: the larger of these. */
const reserveBytes = 200_000_000;
const reserveShare = 0.01;
const chunkBytes = 1024 * 1024;
/** Free space is checked again after this many bytes, whatever size was announced. */
const roomEveryBytes = 64 * 1024 * 1024;
/** Small files are written synchronously, into the system's memory. A thread switch would take many times as long. */
const smallFileBytes = 64 * 1024;

/** Unfinished files in the hidden folder. */
export interface Staging {
  /** @throws TypeError for an invalid id */
  fileOf(id: string): string;
  /** Path for a file that is moved away first and checked afterwards. Its name identifies the expected file. */
  asideFor(planned: BigIntStats): string;
  /** Whether a process moved another file than expected there and ended before it checked. */
  holdsAnother(id: string): boolean;
  begin(id: string, sizeBytes: number): Promise<StagedFile | DiskRejection>;
  putBytes(id: string, bytes: Uint8Array): Promise<Staged | DiskRejection>;
  copy(id: string, from: DiskPath, hash: ContentHash): Promise<Staged | Changed | DiskRejection>;
  read(id: string): Promise<Staged | null>;
  discard(id: string): Promise<void>;
  list(): Promise<readonly string[]>;
}

/** @param freeBytes for tests: the free bytes of the disk */
export function createStaging(root: Root, isReserveKept: boolean, freeBytes?: () => number): Staging {
  const folder = join(root.hidden, 'staging');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (id: string) => {
    if (!idForm.test(id)) throw new TypeError(`not an id: ${JSON.stringify(id)}`);
    return join(folder, id + extension);
  };
  const findRoom = (sizeBytes: number): DiskRejection | null => {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const reserve = isReserveKept ? Math.max(reserveBytes, reserveShare * blocks * bsize) : 0;
    const free = freeBytes?.() ?? bavail * bsize;
    return sizeBytes + reserve <= free
      ? null
      : { kind: 'refused', reason: 'disk_full', detail: `${free} bytes are free` };
  };
  const begin = async (id: string, sizeBytes: number): Promise<StagedFile | DiskRejection> => {
    root.check();
    try {
      const rejection = findRoom(sizeBytes);
      if (rejection !== null) return rejection;
      // Other users cannot open the hidden folder, and this is the mode that the file must have at the end.
      const file = openSync(fileOf(id), 'w', 0o666);
      let isOpen = true;
      let sha = createHash('sha256');
      let receivedBytes = 0;
      let roomBytes = roomEveryBytes;
      const gathered = createGatheredWriter(file);
      const rejecting = async <Result>(act: () => Result | Promise<Result>): Promise<Result> => {
        try {
          return await act();
        } catch (error) {
          throw error instanceof DiskRejectedError ? error : new DiskRejectedError(errorOf(error));
        }
      };
      const close = () => {
        const wasOpen = isOpen;
        isOpen = false;
        if (wasOpen) closeSync(file);
      };
      return {
        kind: 'writing',
        expectedBytes: sizeBytes > 0 ? sizeBytes : null,
        get receivedBytes() {
          return receivedBytes;
        },
        append: (bytes) =>
          rejecting(async () => {
            const location = receivedBytes;
            sha.update(bytes);
            receivedBytes += bytes.length;
            if (receivedBytes > roomBytes) {
              const error = findRoom(bytes.length);
              if (error !== null) throw new DiskRejectedError(error);
              roomBytes = receivedBytes + roomEveryBytes;
            }
            if (receivedBytes > smallFileBytes) return gathered.write(bytes, location);
            // A nearly full disk may write only a part. Each iteration writes some bytes, or the disk reports an error.
            for (let at = 0; at < bytes.length; ) {
              at += writeSync(file, bytes, at, bytes.length - at, location + at);
            }
          }),
        restart: () =>
          rejecting(async () => {
            await gathered.drop();
            ftruncateSync(file, 0);
            sha = createHash('sha256');
            receivedBytes = 0;
            roomBytes = roomEveryBytes;
          }),
        digest: () => sha.copy().digest('hex') as ContentHash,
        finish: () =>
          rejecting(async () => {
            await gathered.end();
            close();
            return { kind: 'staged', id, hash: sha.digest('hex') as ContentHash, sizeBytes: receivedBytes };
          }),
        async discard() {
          try {
            // Stops all writes before the file descriptor can be reused.
            await gathered.drop();
            close();
          } catch {
            // Its contents are discarded anyway.
          }
          await discard(id);
        },
      };
    } catch (error) {
      return errorOf(error);
    }
  };
  const read = async (id: string): Promise<Staged | null> => {
    const file = fileOf(id);
    if ((await stat(file).catch(() => null)) === null) return null;
    const handle = await open(file, 'r');
    try {
      const sha = createHash('sha256');
      const buffer = new Uint8Array(chunkBytes);
      let sizeBytes = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return { kind: 'staged', id, hash: sha.digest('hex') as ContentHash, sizeBytes };
        sha.update(buffer.subarray(0, bytesRead));
        sizeBytes += bytesRead;
      }
    } finally {
      await handle.close();
    }
  };
  const discard = (id: string) => rm(fileOf(id), { force: true });
  return {
    fileOf,
    asideFor: (planned) => fileOf(`aside-${printOf(planned).replaceAll(':', '-')}`),
    holdsAnother(id) {
      const [, ...planned] = quarantineForm.exec(id) ?? [];
      const found = planned.length === 0 ? null : look(fileOf(id));
      return found !== null && printOf(found) !== planned.join(':');
    },
    begin,
    read,
    discard,
    async putBytes(id, bytes) {
      const file = await begin(id, bytes.length);
      if (file.kind !== 'writing') return file;
      try {
        await file.append(bytes);
        return await file.finish();
      } catch (error) {
        await file.discard();
        if (error instanceof DiskRejectedError) return error.rejection;
        throw error;
      }
    },
    async copy(id, from, hash) {
      const way = root.findWay(from);
      if (way.kind !== 'clear') return way;
      try {
        const source = await lstat(root.absolute(from)).catch(() => null);
        if (source === null || !source.isFile()) return { kind: 'changed' };
        const error = findRoom(source.size);
        if (error !== null) return error;
        await copyFile(root.absolute(from), fileOf(id), copyModes.COPYFILE_FICLONE);
        await chmod(fileOf(id), 0o666 & ~process.umask());
      } catch (error) {
        await discard(id);
        return errorCodeOf(error) === 'ENOENT' ? { kind: 'changed' } : errorOf(error);
      }
      const staged = await read(id);
      if (staged?.hash === hash) return staged;
      await discard(id);
      return { kind: 'changed' };
    },
    async list() {
      const names = await readdir(folder);
      return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
    },
  };
}
