import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NameTraits } from '@stoa/core';
import type { DiskTraits } from '../engine/ports/local-folder.ts';
import { objectOf } from './stamp.ts';

const composed = 'Probe-\u00e9';
const decomposed = composed.normalize('NFD');

/** Tests the behaviour of the disk in a folder of its own. @throws disk errors */
export function probeDisk(staging: string): DiskTraits {
  const folder = join(staging, 'probe');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    const file = join(folder, composed);
    writeFileSync(file, 'probe');
    return {
      names: {
        foldsCase: isThere(join(folder, 'PROBE-\u00e9')),
        unicodeForm: unicodeForm(folder),
        forbids: forbids(folder),
      },
      hasHardLinks: succeeds(() => linkSync(file, join(folder, 'second'))),
      hasStableObjects: keepsObject(folder),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unicodeForm(folder: string): NameTraits['unicodeForm'] {
  if (!readdirSync(folder).includes(composed)) return 'changed';
  return isThere(join(folder, decomposed)) ? 'folded' : 'kept';
}

function forbids(folder: string): NameTraits['forbids'] {
  const canMake =
    succeeds(() => writeFileSync(join(folder, 'a:b?. '), '')) && readdirSync(folder).includes('a:b?. ');
  return canMake && process.platform !== 'win32' ? 'nothing' : 'windows';
}

/** Whether a file keeps its object id across writes and renames, and a new file gets another one. */
function keepsObject(folder: string): boolean {
  const object = (name: string) => objectOf(lstatSync(join(folder, name), { bigint: true }));
  writeFileSync(join(folder, 'one'), '1');
  const before = object('one');
  writeFileSync(join(folder, 'one'), '2');
  renameSync(join(folder, 'one'), join(folder, 'two'));
  writeFileSync(join(folder, 'one'), '1');
  const born = lstatSync(join(folder, 'two'), { bigint: true }).birthtimeNs;
  return born > 0n && object('two') === before && object('one') !== before;
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
