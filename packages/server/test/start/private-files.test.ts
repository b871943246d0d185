import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openHttpClient } from '../../../../tests/support/http-client.ts';
import { createKey, signUp } from '../../../../tests/support/people.ts';
import { startService } from '../../../../tests/support/service-process.ts';
import { createWorkspace } from '../../../../tests/support/workspace-client.ts';
import { prepareDataDir } from '../../src/start/prepare-data-dir.ts';

const skip = process.platform === 'win32' ? 'there are no modes here' : false;

async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-modes-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

test('a start closes files that are open to others, and reports an open directory', { skip }, async (t) => {
  const folder = await openFolder(t);
  for (const name of ['stoa.db', 'stoa.db-wal', 'session-secret', 'notes.txt']) {
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), 0o644);
  }
  await mkdir(join(folder, 'blobs'));
  await chmod(join(folder, 'blobs'), 0o755);
  const problems: string[] = [];
  await prepareDataDir(folder, (message) => problems.push(message));
  for (const name of ['stoa.db', 'stoa.db-wal', 'session-secret']) {
    assert.equal(await modeOf(join(folder, name)), '600', name);
  }
  assert.equal(await modeOf(join(folder, 'blobs')), '700');
  assert.equal(await modeOf(join(folder, 'notes.txt')), '644', 'a file of another program was changed');
  assert.equal(await modeOf(folder), '755');
  assert.deepEqual(problems, [
    `other accounts can enter the data directory ${folder}: close it with chmod 700`,
  ]);
  await chmod(folder, 0o700);
  await prepareDataDir(folder, (message) => problems.push(message));
  assert.equal(problems.length, 1);
});

test('nothing that the service writes can be read by others', { skip, timeout: 120_000 }, async (t) => {
  const folder = await openFolder(t);
  const previous = process.umask(0o022);
  t.after(() => process.umask(previous));
  await using service = await startService({
    STOA_DATA_DIR: folder,
    STOA_DATABASE_URL: '',
    STOA_BLOB_URL: '',
  });
  const client = openHttpClient(service.url);
  const ada = await signUp(client);
  await createKey(ada);
  const home = await createWorkspace(ada);
  await home.put('small.txt', 'small');
  await home.put('large.bin', Buffer.alloc(200_000, 1));
  const entries = await readdir(folder, { recursive: true });
  assert.ok(
    entries.some((name) => name.startsWith('blobs/')),
    entries.join(),
  );
  const open: string[] = [];
  for (const name of entries) {
    const mode = await modeOf(join(folder, name));
    if (!/^[0-7]00$/.test(mode)) open.push(`${name} ${mode}`);
  }
  assert.deepEqual(open, []);
  await client.close();
  // The log is written in blocks: all of it is there only at the end.
  await service.end('SIGTERM');
  assert.match(service.log(), /other accounts can enter the data directory/);
});
