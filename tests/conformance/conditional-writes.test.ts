import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada, { name: 'Robot' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const stale = (current: number) => ({ error: 'version_conflict', current_version: current });

/** A workspace with `a.md` at version 1, recreated: it is not the file that the caller saw there. */
async function recreated() {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'seen');
  await workspace.remove('a.md', 1);
  await workspace.put('a.md', 'never seen');
  return workspace;
}

test(
  ...claims(
    'files.write.if-content-hash',
    'a write on a file recreated at the same version is kept as a copy',
  ),
  async () => {
    const workspace = await recreated();
    const late = { ifMatch: 1, ifContentHash: sha256('seen') };
    const response = await workspace.put('a.md', 'late', late);
    const copy = textAt(jsonOf(response), 'conflict_copy_path');
    assertFlat(response, 412, { ...stale(1), conflict_copy_path: copy });
    await assertFile(workspace, copy, 'late', 1);
    await assertFile(workspace, 'a.md', 'never seen', 1);
    // The current bytes are the same, so no copy is needed.
    assertJson(await workspace.put('a.md', 'never seen', late), 200, { path: 'a.md', version: 1 });
  },
);

test(
  ...claims('files.write.if-content-hash', 'a write needs the version and the content hash together'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'v1');
    const right = { ifMatch: 1, ifContentHash: sha256('v1') };
    assertJson(await workspace.put('a.md', 'v2', right), 200, { path: 'a.md', version: 2 });
    // The content is back, the version is not.
    await workspace.put('a.md', 'v1', { ifMatch: 2 });
    assertStatus(await workspace.put('a.md', 'late', right), 412);
    const created = await workspace.put('new.md', 'x', right);
    assertJson(created, 201, { path: 'new.md', version: 1 });
  },
);

const hash = sha256('old');
for (const [title, put] of [
  ['without If-Match', { ifContentHash: hash }],
  ['with If-None-Match', { ifContentHash: hash, ifNoneMatch: '*' }],
  ['that is empty', { ifContentHash: '', ifMatch: 1 }],
  ['that is too short', { ifContentHash: hash.slice(1), ifMatch: 1 }],
  ['in upper case', { ifContentHash: hash.toUpperCase(), ifMatch: 1 }],
  ['in quotes', { ifContentHash: `"${hash}"`, ifMatch: 1 }],
  ['that is a list', { ifContentHash: `${hash}, ${hash}`, ifMatch: 1 }],
] as const) {
  test(...claims('files.write.if-content-hash-invalid', `a content hash ${title} is rejected`), async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'old');
    assertRejection(await workspace.put('a.md', 'new', put), 400);
    assertRejection(await workspace.put('absent.md', 'new', put), 400);
    assert.deepEqual(await feedLines(workspace), ['write a.md 1']);
  });
}

for (const [title, put] of [
  ['on an older version', { ifMatch: 1 }],
  ['on a version yet to come', { ifMatch: 8 }],
  ['on other content', { ifMatch: 2, ifContentHash: sha256('v1') }],
  ['that creates', { ifNoneMatch: '*' }],
] as const) {
  test(
    ...claims(
      ['files.write.conflict-refuse', 'errors.flat'],
      `a stale write ${title} can be rejected instead of kept`,
    ),
    async () => {
      const workspace = await emptyWorkspace();
      await workspace.put('a.md', 'v1');
      await workspace.put('a.md', 'v2', { ifMatch: 1 });
      const response = await workspace.put('a.md', 'late', { ...put, conflict: 'refuse' });
      assertFlat(response, 412, stale(2));
      await assertFile(workspace, 'a.md', 'v2', 2);
      assert.deepEqual(await listedPaths(workspace), ['a.md']);
      assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write a.md 2']);
      // Without the parameter the same write is kept as a copy.
      assert.ok('conflict_copy_path' in jsonOf(await workspace.put('a.md', 'late', put)));
    },
  );
}

test(
  ...claims('files.write.conflict-refuse', 'a large stale write can be rejected and sent again later'),
  async () => {
    const workspace = await emptyWorkspace();
    const body = randomBytes(200_000);
    await workspace.put('a.bin', 'v1');
    assertFlat(await workspace.put('a.bin', body, { ifMatch: 9, conflict: 'refuse' }), 412, stale(1));
    const again = await workspace.put('a.bin', body, { ifMatch: 1, conflict: 'refuse' });
    assertJson(again, 200, { path: 'a.bin', version: 2 });
    await assertFile(workspace, 'a.bin', body, 2);
  },
);

test(
  ...claims('files.write.conflict-refuse-only', 'the conflict parameter matters only for a lost race'),
  async () => {
    const workspace = await emptyWorkspace();
    const conflict = 'refuse';
    assertJson(await workspace.put('a.md', 'v1', { conflict }), 201, { path: 'a.md', version: 1 });
    assertJson(await workspace.put('a.md', 'v2', { ifMatch: 1, conflict }), 200, {
      path: 'a.md',
      version: 2,
    });
    for (const put of [{ ifMatch: 1 }, { ifMatch: 7 }, { ifNoneMatch: '*' }]) {
      const same = await workspace.put('a.md', 'v2', { ...put, conflict });
      assertJson(same, 200, { path: 'a.md', version: 2 });
    }
    assertRejection(await workspace.put('a.md', 'v3', { conflict }), 428);
    assertRejection(await workspace.put('a.md', '', { ifMatch: 1, conflict }), 400);
    assertRejection(await workspace.put('a.md/below', 'x', { conflict }), 409);
    assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write a.md 2']);
  },
);

test(
  ...claims('files.write.conflict-refuse', 'of twelve writers that want no copies, one wins without a copy'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('race.md', 'base');
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, writer) =>
        workspace.put('race.md', `writer ${writer}`, { ifMatch: 1, conflict: 'refuse' }),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(11).fill(412)]);
    assert.deepEqual(await listedPaths(workspace), ['race.md']);
    assert.deepEqual(await feedLines(workspace), ['write race.md 1', 'write race.md 2']);
  },
);

for (const conflict of ['', 'keep', 'REFUSE', '1']) {
  test(
    ...claims('files.write.conflict-invalid', `a write with conflict=${conflict} is rejected`),
    async () => {
      const workspace = await emptyWorkspace();
      assertRejection(await workspace.put('a.md', 'x', { conflict }), 400);
      assert.deepEqual(await listedPaths(workspace), []);
    },
  );
}
