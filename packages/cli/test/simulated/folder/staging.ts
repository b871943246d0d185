import {
  DiskRejectedError,
  type DiskRejection,
  type LocalFolder,
  type Staged,
} from '../../../src/engine/ports/local-folder.ts';
import { changed, errorOf, hashOf, hidden, type SimulatedLocation } from './simulated-location.ts';

/** Stages downloads on a simulated disk. */
export function stagingOnDisk(
  location: SimulatedLocation,
): Pick<LocalFolder, 'stage' | 'stageBytes' | 'stageCopy' | 'readStaged' | 'discardStaged' | 'listStaged'> {
  const { disk, turn: round, checkRoot, stagingOf, findWay, inodeAt } = location;
  const stageBytes = async (id: string, bytes: Uint8Array): Promise<Staged | DiskRejection> => {
    const file = stagingOf(id);
    await round('stage');
    checkRoot();
    try {
      disk.writeFile(file, bytes.slice());
      return { kind: 'staged', id, hash: hashOf(bytes), sizeBytes: bytes.length };
    } catch (error) {
      if (disk.find(file) !== null) disk.unlink(file);
      return errorOf(error);
    }
  };
  const readStaged = (id: string): Staged | null => {
    const inode = inodeAt(stagingOf(id));
    if (inode === null) return null;
    return { kind: 'staged', id, hash: hashOf(inode.bytes), sizeBytes: inode.bytes.length };
  };

  return {
    stage: async (id, sizeBytes) => {
      const file = stagingOf(id);
      await round('stage');
      checkRoot();
      if (!disk.hasRoomFor(sizeBytes)) {
        return { kind: 'refused', reason: 'disk_full', detail: 'ENOSPC' };
      }
      let bytes = new Uint8Array(0);
      const write = (next: Uint8Array<ArrayBuffer>) => {
        try {
          disk.writeFile(file, next);
          bytes = next;
        } catch (error) {
          throw new DiskRejectedError(errorOf(error));
        }
      };
      write(bytes);
      return {
        kind: 'writing',
        get receivedBytes() {
          return bytes.length;
        },
        async append(more) {
          await round('append');
          const next = new Uint8Array(bytes.length + more.length);
          next.set(bytes);
          next.set(more, bytes.length);
          write(next);
        },
        restart: async () => write(new Uint8Array(0)),
        digest: () => hashOf(bytes),
        finish: async () => ({ kind: 'staged', id, hash: hashOf(bytes), sizeBytes: bytes.length }),
        discard: async () => {
          if (disk.find(file) !== null) disk.unlink(file);
        },
      };
    },
    stageBytes,
    stageCopy: async (id, from, hash) => {
      const way = findWay(from);
      if (way.kind !== 'clear') return way;
      const inode = inodeAt(from);
      if (inode === null || hashOf(inode.bytes) !== hash) return changed;
      return stageBytes(id, inode.bytes);
    },
    readStaged: async (id) => readStaged(id),
    discardStaged: async (id) => {
      if (disk.find(stagingOf(id)) !== null) disk.unlink(stagingOf(id));
    },
    listStaged: async () =>
      disk
        .listNames(`${hidden}/staging`)
        .filter((name) => name.endsWith('.part'))
        .map((name) => name.slice(0, -'.part'.length)),
  };
}
