import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const files = await createWorkspace(ada, robot.client);

/** The type as listed: exactly what is stored. */
async function storedType(workspace: WorkspaceClient, path: string): Promise<unknown> {
  const listed = await workspace.query('list', { prefix: path });
  const served = await workspace.get(path);
  const type = recordsAt(jsonOf(listed), 'entries')[0]?.contentType;
  assert.ok(
    (headerOf(served, 'content-type') ?? '').startsWith(String(type)),
    `served as ${headerOf(served, 'content-type')}`,
  );
  return type;
}

for (const [extension, type] of [
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['ts', 'text/typescript'],
  ['csv', 'text/csv'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
] as const) {
  test(...claims('files.type.guessed', `a .${extension} file without a type is ${type}`), async () => {
    assertStatus(await files.put(`guess/file.${extension}`, 'x'), 201);
    assert.equal(await storedType(files, `guess/file.${extension}`), type);
  });
}

for (const path of ['unknown/file.xyz', 'unknown/none', 'unknown/file.', 'unknown/md', 'unknown/.keep']) {
  test(...claims('files.type.unknown-extension', `${path} without a type is plain bytes`), async () => {
    assertStatus(await files.put(path, 'x'), 201);
    assert.equal(await storedType(files, path), 'application/octet-stream');
  });
}

for (const type of [
  'text/html',
  'application/vnd.custom+json',
  'text/plain; charset=utf-8',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
]) {
  test(
    ...claims(['files.type.stored', 'files.read.content-type'], `a file sent as ${type} keeps that type`),
    async () => {
      const path = `stored/${encodeURIComponent(type)}.md`;
      assertStatus(await files.put(path, 'not { json', { contentType: type }), 201);
      assert.equal(await storedType(files, path), type);
    },
  );
}

for (const type of [
  'markdown',
  'text/',
  '/plain',
  'text plain',
  'text/plain/more',
  'text/plän',
  `text/${'x'.repeat(251)}`,
]) {
  test(...claims('files.type.malformed', `a type of ${type.slice(0, 20)} is rejected`), async () => {
    assertRejection(await files.put('malformed.md', 'x', { contentType: type }), 400);
    assertRejection(await files.get('malformed.md'), 404);
  });
}

test(...claims('files.type.stored', 'a type of 255 characters is stored'), async () => {
  const type = `text/${'x'.repeat(250)}`;
  assertStatus(await files.put('longest.md', 'x', { contentType: type }), 201);
  assert.equal(await storedType(files, 'longest.md'), type);
});

test(...claims('files.type.replaced', 'the same bytes sent with another type change the type'), async () => {
  await files.put('same.md', 'x', { contentType: 'text/plain' });
  assertStatus(await files.put('same.md', 'x', { ifMatch: 1, contentType: 'text/html' }), 200);
  assert.equal(await storedType(files, 'same.md'), 'text/html');
  assertStatus(await files.put('same.md', 'y', { ifMatch: 2 }), 200);
  assert.equal(await storedType(files, 'same.md'), 'text/markdown');
});

test(
  ...claims('files.type.after-move', 'a guessed type follows the new extension, a chosen one stays'),
  async () => {
    await files.put('guessed.md', 'x');
    await files.post('move', { from: 'guessed.md', to: 'guessed.txt' });
    assert.equal(await storedType(files, 'guessed.txt'), 'text/plain');
    await files.put('chosen.md', 'x', { contentType: 'application/vnd.chosen' });
    await files.post('move', { from: 'chosen.md', to: 'chosen.txt' });
    assert.equal(await storedType(files, 'chosen.txt'), 'application/vnd.chosen');
  },
);

test(...claims('files.type.after-restore', 'a restored version has its type again'), async () => {
  await files.put('back.md', 'x', { contentType: 'text/plain' });
  await files.put('back.md', 'y', { ifMatch: 1, contentType: 'text/html' });
  assertStatus(await files.post('restore', { path: 'back.md', targetVersion: 1 }), 200);
  assert.equal(await storedType(files, 'back.md'), 'text/plain');
});
