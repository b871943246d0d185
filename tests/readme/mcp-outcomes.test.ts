import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorTable } from '@stoa/contract';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { tableBelow } from './markdown-table.ts';

const docs = join(import.meta.dirname, '../../docs');
const guide = await readFile(join(docs, 'mcp.md'), 'utf8');
const reference = await readFile(join(docs, 'interface/mcp.md'), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'stoa-mcp-outcomes-'));
after(() => rm(folder, { recursive: true, force: true }));
const plansFile = join(folder, 'plans.json');
const small = { id: 'small', name: 'Small', storageBytes: 100, files: 2, historyBytes: 5 };
await writeFile(plansFile, JSON.stringify({ default: small.id, plans: [small] }));
const { client } = await useOwnService({ STOA_PLANS: plansFile });

test('the outcomes in docs/interface have the fields that the tools return', async () => {
  const { secret } = await createKey(await signUp(client));
  const created = await openMcp(client, secret).call('create_workspace', { name: 'Notes' });
  const workspaceId = String(created.data.id);
  const { call } = openMcp(client, secret, { workspaceId, toolSet: 'extended' });
  const path = 'plan.md';
  const comment = (quote: string, more = {}) => call('add_comment', { path, body: '?', quote, ...more });
  // One byte each: the plan keeps few bytes of earlier versions.
  await call('write_file', { path: 'old.md', content: 'x' });
  await call('move_file', { from: 'old.md', to: 'new.md' });
  const moved = await call('append_file', { path: 'old.md', content: 'x' });
  await call('delete_file', { path: 'new.md', baseVersion: 1 });
  const deleted = await call('append_file', { path: 'new.md', content: 'x' });
  await call('write_file', { path, content: 'once' });
  const stale = await call('restore_file', { path, targetVersion: 1, baseVersion: 9 });
  await call('write_file', { path, content: 'so so', baseVersion: 1 });
  const outcomes = [
    // The copy is the second of the two files that the plan allows.
    await call('write_file', { path, content: 'other', baseVersion: 1 }),
    moved,
    deleted,
    stale,
    await call('write_file', { path, content: 'long'.repeat(50), baseVersion: 2 }),
    await call('write_file', { path: 'third.md', content: 'x' }),
    await call('write_file', { path, content: 'x', baseVersion: 2 }),
    await comment('nowhere'),
    await comment('so'),
    await comment('once', { baseVersion: 1 }),
  ];
  const responded = outcomes.map(({ isError, data: { ok, next, ...fields } }) => {
    assert.equal(isError, false);
    assert.equal(ok, false);
    assert.equal(typeof next, 'string');
    return Object.entries(fields).map(([name, value]) =>
      name === 'error' || value === true ? `${name}: ${JSON.stringify(value)}` : name,
    );
  });
  const said = tableBelow(reference, '### Outcomes').map(([, fields = '']) =>
    [...fields.matchAll(/`([^`]*)`/g)].map(([, field]) => field),
  );
  assert.deepEqual(said, responded);
});

test('the errors that the guide explains have the wording of the guide', () => {
  const { unauthorized, key_not_scoped, not_a_member } = errorTable;
  const explained = tableBelow(guide, '## When it does not work').map(([cell = '']) => cell);
  for (const { statusMessage } of [key_not_scoped, not_a_member]) {
    assert.ok(explained.includes(`\`${statusMessage}\``), statusMessage);
  }
  const [, begins = ''] = explained.map((cell) => /^401 `(Not .*)`$/.exec(cell)).find(Boolean) ?? [];
  assert.ok(begins !== '' && unauthorized.statusMessage.startsWith(begins), begins);
});
