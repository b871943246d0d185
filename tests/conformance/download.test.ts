import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { headerOf } from '../support/answer.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const robot = await createKey(ada);

/** The files of a zip that is not compressed, by the list at its end; each with the sum that the list has of it. */
function filesOf(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf('PK\x05\x06');
  assert.notEqual(end, -1, 'the zip has no end');
  const files: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [sum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameBytes, extraBytes] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const bytes = zip.subarray(start, start + size);
    assert.equal(crc32(bytes), sum);
    files[zip.toString('utf8', at + 46, at + 46 + nameBytes)] = bytes.toString();
    at += 46 + nameBytes + extraBytes;
  }
  return files;
}

async function downloaded(workspace: WorkspaceClient): Promise<Record<string, string>> {
  const answer = await workspace.send('GET', '/download');
  assertStatus(answer, 200);
  assert.equal(headerOf(answer, 'content-type'), 'application/zip');
  assert.match(headerOf(answer, 'content-disposition') ?? '', /^attachment; filename=".+\.zip"/);
  return filesOf(answer.bytes);
}

test(...claims('workspaces.download', 'a download has what is there now, and what one may see'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  assert.deepEqual(await downloaded(workspace), {});
  const large = 'All of this is beside the database.\n'.repeat(5000);
  assertStatus(await workspace.put('notes/Größe.md', 'first'), 201);
  assertStatus(await workspace.put('notes/Größe.md', 'second', { ifMatch: 1 }), 200);
  assertStatus(await workspace.put('large.txt', large), 201);
  assertStatus(await workspace.put('gone.txt', 'gone'), 201);
  assertStatus(await workspace.send('DELETE', '/files/gone.txt', { headers: { 'if-match': '1' } }), 204);
  assertStatus(await workspace.put('cell/secret.txt', 'for one alone'), 201);
  const hide = { path: 'cell', kind: 'folder', private: true };
  assertStatus(await workspace.send('PUT', '/node-private', { json: hide }), 200);
  const seen = { 'large.txt': large, 'notes/Größe.md': 'second' };
  assert.deepEqual(await downloaded(workspace), { 'cell/secret.txt': 'for one alone', ...seen });
  assert.deepEqual(await downloaded(await joinWorkspace(workspace, ada, ben)), seen);
  const narrow = (await createKey(ada, { workspaceId: workspace.id, path: 'notes' })).client;
  assert.deepEqual(await downloaded(workspace.as(narrow)), { 'notes/Größe.md': 'second' });
});

test(
  ...claims('workspaces.download-names', 'names that no system refuses, from which paths can be had'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    for (const path of ['a:b?.md', 'a%3Ab%3F.md', 'con.txt', '.git/config', '100%.md']) {
      assertStatus(await workspace.put(path, path), 201);
    }
    assert.deepEqual(await downloaded(workspace), {
      '%2Egit/config': '.git/config',
      '100%.md': '100%.md',
      '%63on.txt': 'con.txt',
      'a%253Ab%253F.md': 'a%3Ab%3F.md',
      'a%3Ab%3F.md': 'a:b?.md',
    });
  },
);
