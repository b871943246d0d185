import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const workspace = await createWorkspace(ada, robot.client);
for (const name of ['a', 'b', 'c', 'd']) await workspace.put(`${name}.md`, name);
const all = await workspace.changes();
const longAgo = '2000-01-01T00:00:00.000Z';

async function since(query: Readonly<Record<string, string | number>>): Promise<JsonRecord> {
  const response = await workspace.query('changes', query);
  assertStatus(response, 200);
  return jsonOf(response);
}

function ours(body: JsonRecord): readonly unknown[] {
  const ids = new Set(all.map(({ id }) => id));
  return recordsAt(body, 'changes')
    .filter(({ id }) => ids.has(id))
    .map(({ path }) => path);
}

test(
  ...claims(
    ['feed.time.since', 'feed.time.no-cursor'],
    'changes after a moment come oldest first, without a cursor',
  ),
  async () => {
    const body = await since({ since: longAgo });
    assert.deepEqual(Object.keys(body).sort(), ['changes', 'head']);
    assert.deepEqual(ours(body), ['a.md', 'b.md', 'c.md', 'd.md']);
    assert.equal(body.head, all.at(-1)?.seq);
  },
);

test(...claims('feed.time.desc', 'the newest can come first'), async () => {
  assert.deepEqual(ours(await since({ since: longAgo, order: 'desc' })), ['d.md', 'c.md', 'b.md', 'a.md']);
});

test(...claims('feed.time.strict', 'a change at that very moment is not among them'), async () => {
  for (const change of all) {
    const at = textAt(change, 'createdAt');
    const expected = all.filter((other) => textAt(other, 'createdAt') > at).map(({ path }) => path);
    assert.deepEqual(ours(await since({ since: at })), expected);
  }
});

test(...claims('feed.time.since', 'a moment may be given with an offset'), async () => {
  assert.deepEqual(ours(await since({ since: '2000-01-01T01:00:00+01:00' })), [
    'a.md',
    'b.md',
    'c.md',
    'd.md',
  ]);
  assert.deepEqual(ours(await since({ since: '2999-01-01T00:00:00Z' })), []);
});

test(...claims('feed.time.limit', 'limit takes the first ones in that order'), async () => {
  assert.equal(recordsAt(await since({ since: longAgo, limit: 2 }), 'changes').length, 2);
  assert.deepEqual(ours(await since({ since: longAgo, order: 'desc', limit: 2 })), ['d.md', 'c.md']);
});

for (const moment of [
  'yesterday',
  '',
  '2026',
  '1700000000',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'x'.repeat(500),
]) {
  test(...claims('feed.time.malformed', `${JSON.stringify(moment).slice(0, 30)} is not a time`), async () => {
    assertRejection(await workspace.query('changes', { since: moment }), 400);
  });
}
