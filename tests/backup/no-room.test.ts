import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHttpClient } from '../support/http-client.ts';
import { operator, operatorRun } from '../support/operator.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { useServer } from '../sync/support/shared-workspace.ts';

const roomyKib = 32 * 1024;

test('a command on a full disk says where and what to do, and prune still works', async (t) => {
  const disk = await mountSmallDisk(roomyKib);
  if ('reason' in disk) return t.skip(disk.reason);
  await using home = await makeServiceHome('sqlite-disk');
  await using service = await startService({}, { home });
  const client = openHttpClient(service.url);
  after(() => client.close());
  const { workspace, person } = await (await useServer(client)).workspace();
  for (const path of ['one.bin', 'two.bin', 'three.bin']) {
    assert.equal((await workspace.put(path, randomBytes(300_000))).status, 201);
  }
  const backups = join(disk.folder, 'backups');
  const rejected = async (env: NodeJS.ProcessEnv, where: string, advice: RegExp, ...words: string[]) => {
    const { code, stdout, stderr } = await operatorRun({ env: { ...service.env, ...env } }, ...words);
    const said = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('…'))
      .join('\n');
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.ok(said.startsWith(`There is no room ${where}: `), said);
    assert.match(said, advice);
    assert.doesNotMatch(said, /\n/);
  };

  // First the copy of the database does not fit, then the objects, then not even one byte.
  for (const kib of [100, 900]) {
    await disk.leave(kib);
    await rejected(
      {},
      `in ${backups}`,
      /`npm run admin -- backup prune`.*continues where it stopped/,
      'backup',
      backups,
    );
  }
  await disk.leave(roomyKib);
  for (const _ of ['an old one', 'the newest']) await operator(service, 'backup', backups);
  const json = join(disk.folder, 'kept.tar');
  const exported = join(tmpdir(), `stoa-no-room-${process.pid}.tar`);
  await operator(service, 'export', workspace.id, exported);

  await disk.leave(100);
  await rejected({}, `in ${disk.folder}`, /on another disk/, 'export', workspace.id, json);
  const restored = join(disk.folder, 'restored');
  const restoring = { STOA_DATA_DIR: restored };
  await rejected(restoring, `in ${restored}`, /STOA_DATA_DIR/, 'restore', backups);
  // Large contents may also be in a bucket.
  await disk.leave(900);
  await rejected(restoring, 'for this command', /Free some space/, 'restore', backups);
  const unpacked = join(disk.folder, 'tmp');
  await mkdir(unpacked);
  await writeFile(join(disk.folder, 'filler'), new Uint8Array(4096));
  await disk.leave(0);
  await rejected(
    { TMPDIR: unpacked },
    `in ${unpacked}`,
    /TMPDIR/,
    'import',
    exported,
    '--owner',
    person.id,
    '--yes',
  );
  await rejected({}, `in ${backups}`, /backup prune/, 'backup', backups);
  const pruned = await operator(service, 'backup', 'prune', backups, '--keep-last', '1');
  assert.match(pruned, /^Removed 1 backup/m);
  assert.equal((await readdir(join(backups, 'backups'))).length, 1);

  await disk.leave(roomyKib);
  assert.match(
    await operator({ env: { ...service.env, ...restoring } }, 'restore', backups),
    /Nothing is wrong/,
  );
  assert.match(await operator(service, 'import', exported, '--owner', person.id, '--yes'), /^Imported /m);
});
