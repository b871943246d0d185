import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type Entry, extract } from 'tar-stream';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const robot = await createKey(ada);

/** Files of an uncompressed zip, read by its central directory and checked against the checksums there. */
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
  const response = await workspace.send('GET', '/download');
  assertStatus(response, 200);
  assert.equal(headerOf(response, 'content-type'), 'application/zip');
  assert.match(headerOf(response, 'content-disposition') ?? '', /^attachment; filename=".+\.zip"/);
  return filesOf(response.bytes);
}

test(...claims('workspaces.download', 'a download has the current files the caller may see'), async () => {
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
  ...claims('workspaces.download-names', 'download names work on every system and map back to their paths'),
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

async function exported(workspace: WorkspaceClient): Promise<Map<string, string>> {
  const response = await workspace.as(ada.session).send('GET', '/export');
  assertStatus(response, 200);
  assert.equal(headerOf(response, 'content-type'), 'application/x-tar');
  assert.match(headerOf(response, 'content-disposition') ?? '', /^attachment; filename=".+\.tar"/);
  const entries = new Map<string, string>();
  for await (const entry of Readable.from([response.bytes]).pipe(extract()) as AsyncIterable<Entry>) {
    entries.set(entry.header.name, String(await buffer(entry)));
  }
  return entries;
}

test(...claims('workspaces.export', 'an export has files, versions and the feed'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  assertStatus(await workspace.put('notes/plan.md', 'first'), 201);
  assertStatus(await workspace.put('notes/plan.md', 'second', { ifMatch: 1 }), 200);
  assertStatus(await workspace.put('mine.md', 'for Ada alone'), 201);
  const hide = { path: 'mine.md', kind: 'file', private: true };
  assertStatus(await workspace.send('PUT', '/node-private', { json: hide }), 200);
  const entries = await exported(workspace);
  assert.equal(entries.get('files/notes/plan.md'), 'second');
  assert.equal(entries.get('files/mine.md'), 'for Ada alone');
  assert.ok([...entries.values()].includes('first'), 'an earlier version is missing');
  const { format, workspace: said } = JSON.parse(entries.get('stoa-export.json') ?? '');
  assert.match(format, /^stoa-export-/);
  assert.equal(said.id, workspace.id);
});

test(...claims('members.audit', 'an owner reads who exported, and from where'), async () => {
  const workspace = await createWorkspace(ada, ada.session);
  await exported(workspace);
  const log = jsonOf(await workspace.query('audit', { kind: 'workspace' }));
  const [entry] = recordsAt(log, 'entries');
  assert.equal(entry?.action, 'workspace.export');
  assert.deepEqual(entry?.by, { id: ada.id, name: 'Ada', keyId: null, keyName: null });
  assert.equal(typeof entry?.address, 'string');
  assert.equal(typeof entry?.requestId, 'string');
});

test(...claims('workspaces.export-owners', 'only a signed-in owner exports a workspace'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  const bens = await joinWorkspace(workspace, ada, ben);
  for (const role of ['member', 'admin']) {
    const changed = await ada.session.send('PATCH', `/api/workspaces/${workspace.id}/members/${ben.id}`, {
      json: { role },
    });
    assertStatus(changed, 200);
    const response = await bens.as(ben.session).send('GET', '/export');
    assertRejection(response, 403, { says: 'Only owners can export the workspace' });
  }
  assertStatus(await workspace.send('GET', '/export'), 403);
  await exported(workspace);
});

test(...claims('workspaces.export-private', 'private files of others prevent an export'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  const bens = await joinWorkspace(workspace, ada, ben);
  assertStatus(await bens.put('cell.md', 'for Ben alone'), 201);
  const set = async (isPrivate: boolean) => {
    const json = { path: 'cell.md', kind: 'file', private: isPrivate };
    assertStatus(await bens.send('PUT', '/node-private', { json }), 200);
  };
  const rejected = async () =>
    assertRejection(await workspace.as(ada.session).send('GET', '/export'), 409, {
      says: 'Other members have or had private items here, and an export would show them: ask the operator for one',
    });
  await set(true);
  await rejected();
  assertStatus(await bens.put('cell.md', 'more for Ben alone', { ifMatch: 1 }), 200);
  // The history still has the text that was written while the file was private.
  await set(false);
  await rejected();
});
