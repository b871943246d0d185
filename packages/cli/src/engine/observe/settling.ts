import type { BaseFile, Stamp } from '@stoa/core';
import type { DiskPath } from '../ports/local-folder.ts';
import type { FolderScan, SeenEntry } from './folder-view.ts';

/** Larger files are written for longer: they are taken once they have stood still for a second. */
const largeBytes = 8 * 1024 * 1024;
const largeMs = 1000;
/** Programs empty a file before they write it, and some take their time. */
const emptiedMs = 10_000;

/** Files that have to stand still for longer than others before they are sent, and since when they do. */
export class Settling {
  #seen = new Map<DiskPath, { readonly stamp: Stamp; readonly at: number }>();

  /** By file, the milliseconds until it may be taken. Those that may be are not in it. */
  look(
    scan: Pick<FolderScan, 'files'>,
    base: ReadonlyMap<string, BaseFile>,
    now: number,
  ): ReadonlyMap<string, number> {
    const seen = new Map<DiskPath, { readonly stamp: Stamp; readonly at: number }>();
    const waits = new Map<string, number>();
    for (const [path, entry] of scan.files) {
      const row = base.get(path);
      const needed = row?.stamp === entry.stamp ? 0 : neededMs(entry, row);
      if (needed === 0) continue;
      const known = this.#seen.get(entry.diskPath);
      const standing = known?.stamp === entry.stamp ? known : { stamp: entry.stamp, at: now };
      seen.set(entry.diskPath, standing);
      const wait = standing.at + needed - now;
      if (wait > 0) waits.set(path, wait);
    }
    this.#seen = seen;
    return waits;
  }
}

function neededMs({ sizeBytes, isRecent }: SeenEntry, row: BaseFile | undefined): number {
  if (sizeBytes === 0 && row !== undefined && row.sizeBytes > 0) return emptiedMs;
  // One that was written earlier has stood still already.
  return sizeBytes > largeBytes && isRecent ? largeMs : 0;
}
