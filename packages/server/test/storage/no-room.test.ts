import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { needingRoom } from '../../src/storage/no-room.ts';

/** As Node throws it: it has no name for a reached quota. */
const quota = Object.assign(new Error('UNKNOWN: unknown error, write'), {
  code: 'UNKNOWN',
  errno: -constants.errno.EDQUOT,
  syscall: 'write',
});

test('a full disk and a reached quota are reported with their path; another error is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-no-room-'));
  const reported = (error: Error) =>
    needingRoom(folder, 'Make some.', () => Promise.reject(error)).catch((thrown: Error) => thrown.message);
  const words = `There is no room in ${folder}: its disk is full, or a quota on it is reached. Make some.`;
  assert.equal(await reported(Object.assign(new Error('write'), { code: 'ENOSPC' })), words);
  assert.equal(await reported(quota), words);
  assert.equal(await reported(Object.assign(new Error('database or disk is full'), { errcode: 13 })), words);
  assert.equal(await reported(Object.assign(new Error('no such table'), { errcode: 1 })), 'no such table');
  // With free space, it is a disk failure.
  assert.equal(
    await reported(Object.assign(new Error('disk I/O error'), { errcode: 778 })),
    'disk I/O error',
  );
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
});
