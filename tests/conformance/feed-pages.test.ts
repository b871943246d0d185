import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, feedLine, feedLines, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

interface Page {
  readonly changes: readonly JsonRecord[];
  readonly head: number;
  readonly nextSeq: number;
}

async function page(
  workspace: WorkspaceClient,
  query: Readonly<Record<string, string | number>>,
): Promise<Page> {
  const response = await workspace.query('changes', query);
  assertStatus(response, 200);
  const body = jsonOf(response);
  assert.deepEqual(Object.keys(body).sort(), ['changes', 'head', 'nextSeq']);
  return {
    changes: recordsAt(body, 'changes'),
    head: integerAt(body, 'head'),
    nextSeq: integerAt(body, 'nextSeq'),
  };
}

/** Seven changes to read in different ways. */
const seven = await emptyWorkspace();
for (let n = 1; n <= 7; n += 1) await seven.put(`f${n}.md`, `${n}`);
const sevenPaths = Array.from({ length: 7 }, (_, n) => `f${n + 1}.md`);
const seqs = (await seven.changes()).map((change) => integerAt(change, 'seq'));

/** More changes than any page holds. */
const many = await emptyWorkspace();
const manyPaths = Array.from({ length: 1100 }, (_, n) => `n${n}.txt`);
await Promise.all(manyPaths.map((path) => many.put(path, path)));

test(
  ...claims(
    ['feed.shape', 'feed.since', 'feed.replay', 'feed.caught-up'],
    'everything is replayed oldest first',
  ),
  async () => {
    const all = await page(seven, { sinceSeq: 0 });
    const ours = all.changes.filter(({ seq }) => Number(seq) > seven.startSeq);
    assert.deepEqual(
      ours.map(({ path }) => path),
      sevenPaths,
    );
    assert.equal(all.nextSeq, all.head);
  },
);

test(...claims('feed.no-cursor', 'without a cursor the feed starts at the beginning'), async () => {
  assert.deepEqual(await page(seven, {}), await page(seven, { sinceSeq: 0 }));
});

test(...claims(['feed.increasing', 'feed.head'], 'sequence numbers only increase, up to head'), async () => {
  for (let n = 1; n < seqs.length; n += 1) assert.ok(Number(seqs[n]) > Number(seqs[n - 1]));
  assert.equal((await page(seven, { sinceSeq: 0 })).head, seqs.at(-1));
});

test(...claims('feed.since', 'only what came after the cursor is returned'), async () => {
  const rest = await page(seven, { sinceSeq: seqs[3] ?? 0 });
  assert.deepEqual(
    rest.changes.map(({ path }) => path),
    sevenPaths.slice(4),
  );
  const none = await page(seven, { sinceSeq: seqs[6] ?? 0 });
  assert.deepEqual(none, { changes: [], head: seqs[6], nextSeq: seqs[6] });
});

for (const limit of [1, 2, 3, 7, 8]) {
  test(...claims(['feed.next', 'feed.limit'], `pages of ${limit} add up to everything once`), async () => {
    const paths: unknown[] = [];
    let cursor = seven.startSeq;
    for (let round = 0; round < 20; round += 1) {
      const { changes, head, nextSeq } = await page(seven, { sinceSeq: cursor, limit });
      assert.ok(changes.length <= limit);
      paths.push(...changes.map(({ path }) => path));
      cursor = nextSeq;
      if (cursor === head) break;
    }
    assert.deepEqual(paths, sevenPaths);
  });
}

test(...claims('feed.limit-default', 'a page has 200 changes unless asked otherwise'), async () => {
  const { changes, nextSeq, head } = await page(many, { sinceSeq: many.startSeq });
  assert.equal(changes.length, 200);
  assert.equal(nextSeq, integerAt(changes[199] ?? {}, 'seq'));
  assert.ok(head > nextSeq);
});

for (const limit of [1000, 1001, 100_000_000]) {
  test(...claims('feed.limit-max', `a limit of ${limit} gives 1000`), async () => {
    const { changes } = await page(many, { sinceSeq: many.startSeq, limit });
    assert.equal(changes.length, 1000);
  });
}

test(...claims('feed.limit-zero', 'a limit of 0 only asks where the feed ends'), async () => {
  const head = Number(seqs[6]);
  assert.deepEqual(await page(seven, { limit: 0 }), { changes: [], head, nextSeq: 0 });
  assert.deepEqual(await page(seven, { limit: 0, sinceSeq: seqs[2] ?? 0 }), {
    changes: [],
    head,
    nextSeq: seqs[2],
  });
});

test(...claims('feed.cursor-ahead', 'a cursor above the end stays where it is'), async () => {
  const head = Number(seqs[6]);
  assert.deepEqual(await page(seven, { sinceSeq: head + 50 }), { changes: [], head, nextSeq: head + 50 });
});

for (const value of ['-1', '1.5', 'x', '', '1e2', '0x1', 'NaN']) {
  test(
    ...claims(
      ['feed.limit-malformed', 'feed.cursor-malformed'],
      `${JSON.stringify(value)} is not a limit or cursor`,
    ),
    async () => {
      assertRejection(await seven.query('changes', { limit: value }), 400);
      assertRejection(await seven.query('changes', { sinceSeq: value }), 400);
    },
  );
}

test(...claims('feed.nothing-for-refusals', 'rejected requests are not in the feed'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  await workspace.put('a.md', 'y');
  await workspace.put('a.md', '');
  await workspace.put('a.md/b', 'y');
  await workspace.remove('a.md');
  await workspace.remove('a.md', 7);
  await workspace.post('move', { from: 'a.md', to: 'a.md' });
  await workspace.post('move', { from: 'none.md', to: 'b.md' });
  await workspace.post('restore', { path: 'a.md', targetVersion: 7 });
  assert.deepEqual(await feedLines(workspace), ['write a.md 1']);
});

test(...claims('feed.read-your-write', 'a change is in the feed once its response arrives'), async () => {
  const workspace = await emptyWorkspace();
  let cursor = workspace.startSeq;
  for (let n = 0; n < 30; n += 1) {
    await workspace.put(`f${n}.md`, 'x');
    const { changes, nextSeq } = await page(workspace, { sinceSeq: cursor });
    assert.deepEqual(changes.map(feedLine), [`write f${n}.md 1`]);
    cursor = nextSeq;
  }
});

test(...claims(['feed.complete', 'feed.next'], 'a follower among many writers misses nothing'), async () => {
  const workspace = await emptyWorkspace();
  const seen: JsonRecord[] = [];
  let writing = true;
  const follow = async () => {
    let cursor = workspace.startSeq;
    for (let round = 0; round < 100_000; round += 1) {
      const last = !writing;
      const { changes, head, nextSeq } = await page(workspace, { sinceSeq: cursor, limit: 7 });
      seen.push(...changes);
      cursor = nextSeq;
      if (last && cursor === head) return;
    }
  };
  const write = async (writer: number) => {
    for (let n = 0; n < 15; n += 1) {
      const response = await workspace.put(
        `w${writer}/${n}.txt`,
        `${writer} ${n}`.padEnd(n % 2 ? 10 : 70_000),
      );
      assertStatus(response, 201);
    }
  };
  const followers = [follow(), follow()];
  await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  writing = false;
  await Promise.all(followers);
  const expected = Array.from({ length: 16 * 15 }, (_, n) => `w${Math.floor(n / 15)}/${n % 15}.txt`);
  const paths = seen.map((change) => textAt(change, 'path'));
  assert.deepEqual([...paths].sort(), [...expected, ...expected].sort());
});

test(...claims('feed.wait', 'a waiting reader gets a change at once'), async () => {
  const workspace = await emptyWorkspace();
  const waiting = page(workspace, { sinceSeq: workspace.startSeq, wait: 30 });
  await workspace.put('a.md', 'x');
  const { changes, nextSeq, head } = await waiting;
  assert.deepEqual(changes.map(feedLine), ['write a.md 1']);
  assert.equal(nextSeq, head);
  const already = await page(workspace, { sinceSeq: workspace.startSeq, wait: 30 });
  assert.deepEqual(already.changes.map(feedLine), ['write a.md 1']);
});

test(...claims('feed.wait-timeout', 'a reader who waits in vain gets an empty page'), async () => {
  const workspace = await emptyWorkspace();
  const { changes, nextSeq, head } = await page(workspace, { sinceSeq: workspace.startSeq, wait: 1 });
  assert.deepEqual(changes, []);
  assert.equal(nextSeq, head);
});

test(...claims('feed.record', 'the hash in a record is that of the bytes'), async () => {
  const change = (await seven.changes())[4];
  assert.equal(change?.contentHash, sha256('5'));
  assert.equal(change?.workspaceId, seven.id);
  assert.equal(typeof change?.id, 'string');
});
