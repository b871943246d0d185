import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, type Precondition, StoaApiError } from '@stoa/client';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { useOwnService } from '../../../tests/support/target.ts';

const { client: server, service } = await useOwnService({ STOA_SEED_WORKSPACES: 'false' });
const person = await signUp(server);
const { secret } = await createKey(person);
const created = await person.session.send('POST', '/api/workspaces', { json: { name: 'Notes' } });
assert.equal(created.status, 200);
const client = createStoaClient({ baseUrl: service.url, apiKey: secret });
const { id } = await client.workspace();

test('the service distinguishes created, updated, unchanged and copied writes', async () => {
  const write = async (text: string, precondition: Precondition, onConflict?: 'refuse') => {
    const options = onConflict === undefined ? {} : { onConflict };
    const outcome = await client.writeFile(id, 'plan.md', text, precondition, options);
    return 'version' in outcome ? `${outcome.kind} ${outcome.version}` : outcome.kind;
  };
  const reported = [
    await write('one', { kind: 'absent' }),
    await write('one', { kind: 'absent' }),
    await write('two', { kind: 'version', version: 1 }),
    // The same bytes at the matching version are a new version, as the interface has it.
    await write('two', { kind: 'version', version: 2 }),
    await write('two', { kind: 'version', version: 1 }),
    await write('late', { kind: 'version', version: 1 }, 'refuse'),
    await write('late', { kind: 'version', version: 3, contentHash: 'a'.repeat(64) }, 'refuse'),
    await write('late', { kind: 'version', version: 1 }),
    await write('who knows', { kind: 'none' }),
  ];
  assert.deepEqual(reported, [
    'created 1',
    'unchanged 1',
    'updated 2',
    'updated 3',
    'unchanged 3',
    'refused',
    'refused',
    'conflict',
    'precondition_required',
  ]);
  assert.deepEqual(
    (await client.list(id)).entries.filter(({ path }) => path.includes('conflicted')).length,
    1,
  );
});

test('an empty file needs allowEmpty, and then follows the rules of other writes', async () => {
  const path = 'empty/__init__.py';
  const write = async (precondition: Precondition) => {
    const outcome = await client.writeFile(id, path, '', precondition, { allowEmpty: true });
    return 'version' in outcome ? `${outcome.kind} ${outcome.version}` : outcome.kind;
  };
  await assert.rejects(
    client.writeFile(id, path, '', { kind: 'absent' }),
    (error) => error instanceof StoaApiError && error.status === 400,
  );
  assert.equal(await write({ kind: 'none' }), 'created 1');
  assert.equal(await write({ kind: 'none' }), 'precondition_required');
  assert.equal(await write({ kind: 'absent' }), 'unchanged 1');
  assert.equal(await write({ kind: 'version', version: 1 }), 'updated 2');
  await client.writeFile(id, path, 'text', { kind: 'version', version: 2 });
  assert.equal(await write({ kind: 'version', version: 2 }), 'conflict');
  assert.equal((await client.headFile(id, path)).contentType, 'application/octet-stream');
});

test('a delete and a move take only the content that was seen', async () => {
  await client.writeFile(id, 'seen.md', 'seen', { kind: 'absent' });
  const { entries } = await client.list(id, { prefix: 'seen.md' });
  assert.equal(entries[0]?.version, 1);
  const [version] = (await client.listVersions(id, 'seen.md')).versions;
  assert.ok(version !== undefined);
  const other = 'a'.repeat(64);
  const conflict = { kind: 'conflict', currentVersion: 1 };
  const move = { from: 'seen.md', to: 'moved.md', baseVersion: 1 };
  assert.deepEqual(await client.deleteFile(id, 'seen.md', 1, { contentHash: other }), conflict);
  assert.deepEqual(await client.move(id, { ...move, baseContentHash: other }), conflict);
  const moved = await client.move(id, { ...move, baseContentHash: version.contentHash });
  assert.deepEqual(moved, { kind: 'moved', path: 'moved.md', version: 1 });
  const gone = await client.deleteFile(id, 'moved.md', 1, { contentHash: version.contentHash });
  assert.deepEqual(gone, { kind: 'deleted' });
});
