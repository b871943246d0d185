import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../../tests/support/expect.ts';
import { operator } from '../../../tests/support/operator.ts';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { recordOf, recordsAt, textAt } from '../../../tests/support/response.ts';
import { useOwnService } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const plansFolder = await makeFolder();
after(() => plansFolder[Symbol.asyncDispose]());
const plansFile = join(plansFolder.path, 'plans.json');
const plans = [
  { id: 'large', name: 'Large' },
  { id: 'small', name: 'Small', storageBytes: 1000 },
];
await writeFile(plansFile, JSON.stringify({ default: 'large', plans }));
const { service, client: server } = await useOwnService({
  STOA_PLANS: plansFile,
  STOA_MAX_FILE_BYTES: '400000',
});
const ada = await signUp(server);

async function openFolder(folder: string) {
  const workspace = await createWorkspace(ada, ada.session);
  const key = await createKey(ada, { workspaceId: workspace.id });
  await mkdir(folder, { recursive: true });
  const words = ['link', server.url, '--key-stdin', '--workspace', workspace.id];
  assert.equal((await runStoa(words, { cwd: folder, stdin: key.secret })).code, 0);
  return {
    workspace,
    sync: async () => {
      const { code, stdout, stderr } = await runStoa(['sync'], { cwd: folder });
      return { code, said: stdout + stderr };
    },
    write: (path: string, bytes: string | Uint8Array) => writeFile(join(folder, path), bytes),
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    /** Returns the skipped paths with their reasons. */
    skipped: async () => {
      const [status] = (await runStoa(['status', '--verbose', '--json'], { cwd: folder })).json();
      const rows = recordsAt(recordOf(recordOf(status).lists), 'leftOut');
      return Object.fromEntries(rows.map((row) => [textAt(row, 'path'), textAt(row, 'reason')]));
    },
  };
}

test('a read-only workspace accepts no uploads and syncs after it is renewed', async () => {
  await using home = await makeFolder();
  const { workspace, sync, write, read, skipped } = await openFolder(join(home.path, 'a'));
  await workspace.put('there.md', 'one');
  await workspace.put('gone.md', 'one');
  assert.equal((await sync()).code, 0);
  await operator(service, 'workspace', 'lapse', workspace.id);
  await write('there.md', 'mine');
  await write('new.md', 'new');
  await workspace.remove('gone.md', 1);
  const waits = await sync();
  assert.equal(waits.code, 8, waits.said);
  assert.match(waits.said, /Not synced: 2 wait: the workspace is read-only\./);
  assert.deepEqual(await skipped(), { 'new.md': 'read_only', 'there.md': 'read_only' });
  await assert.rejects(read('gone.md'));
  await operator(service, 'workspace', 'renew', workspace.id);
  const renewed = await sync();
  assert.equal(renewed.code, 0, renewed.said);
  assert.equal((await workspace.get('there.md')).bytes.toString(), 'mine');
  assert.equal((await workspace.get('new.md')).bytes.toString(), 'new');
});

test('a full workspace accepts a smaller version, and other files when space is free', async () => {
  await using home = await makeFolder();
  const { workspace, sync, write, skipped } = await openFolder(join(home.path, 'a'));
  await operator(service, 'workspace', 'plan', workspace.id, 'small');
  await write('a.bin', 'a'.repeat(900));
  assert.equal((await sync()).code, 0);
  await write('b.bin', 'b'.repeat(900));
  const full = await sync();
  assert.equal(full.code, 8, full.said);
  assert.deepEqual(await skipped(), { 'b.bin': 'quota' });
  await write('a.bin', 'a');
  const room = await sync();
  assert.equal(room.code, 0, room.said);
  assert.equal((await workspace.get('b.bin')).bytes.length, 900);
});

test('a too large file and a file with lost bytes do not block other files', async () => {
  await using home = await makeFolder();
  const folder = join(home.path, 'a');
  const { workspace, sync, write, read, skipped } = await openFolder(folder);
  const lost = randomBytes(300_000);
  await workspace.put('lost.bin', lost);
  await workspace.put('kept.md', 'kept');
  assert.equal(await service.home.removeStored(sha256(lost)), 1);
  await write('large.bin', randomBytes(400_001));
  await write('small.md', 'small');
  const synced = await sync();
  assert.equal(synced.code, 8, synced.said);
  assert.deepEqual(await skipped(), { 'large.bin': 'too_large', 'lost.bin': 'bytes_missing' });
  assert.equal(await read('kept.md'), 'kept');
  assert.equal((await workspace.get('small.md')).bytes.toString(), 'small');
  assert.deepEqual(await readdir(join(folder, '.stoa/staging')).then((all) => all.filter(isPart)), []);
  // Another member uploads the file again.
  await workspace.put('lost.bin', 'found', { ifMatch: 1 });
  await write('large.bin', 'smaller');
  const repaired = await sync();
  assert.equal(repaired.code, 0, repaired.said);
  assert.equal(await read('lost.bin'), 'found');
});

const isPart = (name: string) => name.endsWith('.part');
