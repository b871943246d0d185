import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const files = await createWorkspace(ada, robot.client);

test(...claims('files.delete.gone', 'a deleted file is gone'), async () => {
  await files.put('gone.md', 'x');
  const response = await files.remove('gone.md', 1);
  assertStatus(response, 204);
  assert.equal(response.bytes.length, 0);
  assertRejection(await files.get('gone.md'), 404);
  assert.ok(!(await listedPaths(files)).includes('gone.md'));
});

test(...claims('files.delete.precondition-required', 'a file is not deleted blindly'), async () => {
  await files.put('blind.md', 'x');
  assertRejection(await files.remove('blind.md'), 428);
  await assertFile(files, 'blind.md', 'x', 1);
});

test(...claims('files.delete.absent', 'a missing file cannot be deleted'), async () => {
  assertRejection(await files.remove('none.md'), 404);
  assertRejection(await files.remove('none.md', 1), 404);
  await files.put('folder/x.md', 'x');
  assertRejection(await files.remove('folder', 1), 404);
  await files.put('once.md', 'x');
  await files.remove('once.md', 1);
  assertRejection(await files.remove('once.md', 1), 404);
});

test(
  ...claims(['files.delete.stale', 'errors.flat'], 'a file that has changed since is not deleted'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    await workspace.put('busy.md', 'v1');
    await workspace.put('busy.md', 'v2', { ifMatch: 1 });
    for (const version of [1, 3]) {
      assertFlat(await workspace.remove('busy.md', version), 412, {
        error: 'version_conflict',
        current_version: 2,
      });
    }
    await assertFile(workspace, 'busy.md', 'v2', 2);
    assert.deepEqual(await feedLines(workspace), ['write busy.md 1', 'write busy.md 2']);
  },
);

for (const form of ['1', '"1"', 'W/"1"']) {
  test(...claims('files.delete.if-match-forms', `a delete takes the version as ${form}`), async () => {
    const path = `forms/${encodeURIComponent(form)}.md`;
    await files.put(path, 'x');
    assertStatus(await files.remove(path, form), 204);
  });
}

for (const form of ['*', '"1", "2"', '0', '-1', '1.5', 'one', '""']) {
  test(...claims('files.delete.if-match-forms', `a delete with If-Match ${form} is rejected`), async () => {
    const path = `refused/${encodeURIComponent(form)}.md`;
    await files.put(path, 'x');
    assertRejection(await files.remove(path, form), 400);
    await assertFile(files, path, 'x', 1);
  });
}

test(
  ...claims('files.delete.if-content-hash', 'a file recreated at the same version is not deleted'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    await workspace.put('anew.md', 'seen');
    await workspace.remove('anew.md', 1);
    await workspace.put('anew.md', 'never seen');
    const stale = { error: 'version_conflict', current_version: 1 };
    assertFlat(await workspace.remove('anew.md', 1, sha256('seen')), 412, stale);
    await workspace.put('anew.md', 'once more', { ifMatch: 1 });
    assertFlat(await workspace.remove('anew.md', 1, sha256('once more')), 412, {
      ...stale,
      current_version: 2,
    });
    await assertFile(workspace, 'anew.md', 'once more', 2);
    assertStatus(await workspace.remove('anew.md', 2, sha256('once more')), 204);
  },
);

for (const [hash, ifMatch] of [
  [sha256('x'), undefined],
  ['', 1],
  ['x', 1],
  [sha256('x').toUpperCase(), 1],
  [`"${sha256('x')}"`, 1],
  [`${sha256('x')}, ${sha256('x')}`, 1],
] as const) {
  const title = ifMatch === undefined ? 'without If-Match' : `of ${JSON.stringify(hash)}`;
  test(
    ...claims('files.delete.if-content-hash-invalid', `a delete with a content hash ${title} is rejected`),
    async () => {
      const workspace = await createWorkspace(ada, robot.client);
      await workspace.put('hash.md', 'x');
      assertRejection(await workspace.remove('hash.md', ifMatch, hash), 400);
      await assertFile(workspace, 'hash.md', 'x', 1);
      assertRejection(await workspace.remove('none.md', ifMatch, hash), 404);
    },
  );
}

test(...claims('files.delete.frees-folder', 'an emptied folder is gone and its name is free'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  await workspace.put('place/x.md', 'x');
  await workspace.remove('place/x.md', 1);
  const found = jsonOf(await workspace.query('search', { q: 'place' }));
  assert.deepEqual(recordsAt(found, 'results'), []);
  assertStatus(await workspace.put('place', 'now a file'), 201);
});
