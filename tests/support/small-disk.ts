import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const remountTriesMax = 100;

export interface SmallDisk {
  readonly folder: string;
  /** Leaves this much free space after the current content. */
  leave(kib: number): Promise<void>;
}

/**
 * Mounts a file system in memory whose size can change while it is in use. @returns the reason where that is
 * impossible.
 */
export async function mountSmallDisk(roomKib: number): Promise<SmallDisk | { readonly reason: string }> {
  if (process.platform !== 'linux') return { reason: 'a small disk is made with tmpfs, which is Linux only' };
  const folder = await mkdtemp(join(tmpdir(), 'stoa-full-'));
  const options = `size=${roomKib}k,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'stoa-test', folder]).status !== 0) {
    await rm(folder, { recursive: true });
    return { reason: 'mounting a small disk needs root' };
  }
  after(async () => {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  });
  return {
    folder,
    async leave(kib) {
      for (let tries = 0; tries < remountTriesMax; tries += 1) {
        const { blocks, bfree, bsize } = await statfs(folder);
        const usedKib = ((blocks - bfree) * bsize) / 1024;
        const remounting = ['-o', `remount,size=${usedKib + kib}k`, folder];
        // The mount fails when another write took the space. Then it is tried again.
        if (spawnSync('mount', remounting, { stdio: 'ignore' }).status === 0) return;
      }
      assert.fail('the size of the disk could not be changed');
    },
  };
}
