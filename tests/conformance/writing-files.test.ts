import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, integerAt, jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada, { name: 'Robot' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);
const files = await emptyWorkspace();

test(
  ...claims(
    ['files.write.created', 'files.write.version-starts-at-1', 'files.write.parents'],
    'a new file in new folders is created at version 1',
  ),
  async () => {
    assertJson(await files.put('a/b/c/new.md', 'hello'), 201, { path: 'a/b/c/new.md', version: 1 });
    await assertFile(files, 'a/b/c/new.md', 'hello', 1);
  },
);

test(
  ...claims(
    ['files.write.updated', 'files.write.etag', 'files.write.version-starts-at-1'],
    'a file read at version n becomes version n+1',
  ),
  async () => {
    await files.put('count.md', 'v1');
    for (const version of [2, 3, 4]) {
      const response = await files.put('count.md', `v${version}`, { ifMatch: version - 1 });
      assertJson(response, 200, { path: 'count.md', version });
      assert.equal(headerOf(response, 'etag'), `"${version}"`);
    }
    await assertFile(files, 'count.md', 'v4', 4);
  },
);

for (const form of ['1', '"1"', 'W/"1"']) {
  test(...claims('files.write.if-match-forms', `the version can be sent as ${form}`), async () => {
    const path = `forms/${encodeURIComponent(form)}.md`;
    await files.put(path, 'old');
    assertJson(await files.put(path, 'new', { ifMatch: form }), 200, { path, version: 2 });
  });
}

for (const form of [
  '*',
  '"1", "2"',
  '1,2',
  '0',
  '"0"',
  '-1',
  '1.5',
  'one',
  '"one"',
  '""',
  'W/1',
  '1e3',
  '0x1',
  '+1',
]) {
  test(...claims('files.write.if-match-invalid', `an If-Match of ${form} is rejected`), async () => {
    const path = `invalid/${encodeURIComponent(form)}.md`;
    await files.put(path, 'old');
    assertRejection(await files.put(path, 'new', { ifMatch: form }), 400);
    await assertFile(files, path, 'old', 1);
    assertRejection(await files.put(`${path}.absent`, 'new', { ifMatch: form }), 400);
  });
}

for (const form of ['1', '"1"', '"*"', '*, "1"', 'x']) {
  test(
    ...claims('files.write.if-none-match-other', `a write with If-None-Match ${form} is rejected`),
    async () => {
      assertRejection(await files.put('never.md', 'x', { ifNoneMatch: form }), 400);
      assertRejection(await files.get('never.md'), 404);
    },
  );
}

test(...claims('files.write.both-preconditions', 'a write cannot ask for both'), async () => {
  await files.put('both.md', 'old');
  assertRejection(await files.put('both.md', 'new', { ifMatch: 1, ifNoneMatch: '*' }), 400);
  await assertFile(files, 'both.md', 'old', 1);
});

test(...claims('files.write.create-only', 'create-only on a free path creates'), async () => {
  assertJson(await files.put('only.md', 'x', { ifNoneMatch: '*' }), 201, { path: 'only.md', version: 1 });
});

test(
  ...claims(
    ['files.write.create-only-taken', 'errors.flat'],
    'create-only on a taken path is kept as a copy',
  ),
  async () => {
    await files.put('taken.md', 'mine');
    const response = await files.put('taken.md', 'yours', { ifNoneMatch: '*' });
    const copy = textAt(jsonOf(response), 'conflict_copy_path');
    assertFlat(response, 412, { error: 'version_conflict', current_version: 1, conflict_copy_path: copy });
    await assertFile(files, copy, 'yours', 1);
    await assertFile(files, 'taken.md', 'mine', 1);
  },
);

test(
  ...claims(
    'files.write.create-only-identical',
    'create-only with the same bytes is a success without a change',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('same.md', 'x');
    await workspace.put('same.md', 'y', { ifMatch: 1 });
    const response = await workspace.put('same.md', 'y', { ifNoneMatch: '*', contentType: 'text/html' });
    assertJson(response, 200, { path: 'same.md', version: 2 });
    assert.deepEqual(await feedLines(workspace), ['write same.md 1', 'write same.md 2']);
    assert.match(headerOf(await workspace.get('same.md'), 'content-type') ?? '', /^text\/markdown/);
  },
);

for (const body of ['other', 'same']) {
  test(
    ...claims('files.write.precondition-required', `a blind overwrite with ${body} bytes is rejected`),
    async () => {
      const workspace = await emptyWorkspace();
      await workspace.put('blind.md', 'same');
      assertRejection(await workspace.put('blind.md', body), 428);
      await assertFile(workspace, 'blind.md', 'same', 1);
      assert.deepEqual(await listedPaths(workspace), ['blind.md']);
      assert.deepEqual(await feedLines(workspace), ['write blind.md 1']);
    },
  );
}

test(
  ...claims(
    ['files.write.stale', 'files.write.stale-kept', 'files.write.stale-unchanged', 'errors.flat'],
    'a stale write is kept as a copy',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('d/race.md', 'v1');
    await workspace.put('d/race.md', 'v2', { ifMatch: 1 });
    const response = await workspace.put('d/race.md', 'late', { ifMatch: 1 });
    const copy = textAt(jsonOf(response), 'conflict_copy_path');
    assertFlat(response, 412, { error: 'version_conflict', current_version: 2, conflict_copy_path: copy });
    await assertFile(workspace, copy, 'late', 1);
    await assertFile(workspace, 'd/race.md', 'v2', 2);
    assert.deepEqual([...(await listedPaths(workspace))].sort(), ['d/race.md', copy].sort());
  },
);

test(...claims('files.write.stale-kept', 'a large stale write is kept as a copy'), async () => {
  const body = randomBytes(200_000);
  await files.put('large.bin', randomBytes(100_000));
  const response = await files.put('large.bin', body, { ifMatch: 9 });
  assertStatus(response, 412);
  await assertFile(files, textAt(jsonOf(response), 'conflict_copy_path'), body, 1);
});

test(...claims('files.write.stale-ahead', 'a version that the file never had is stale'), async () => {
  await files.put('ahead.md', 'v1');
  const response = await files.put('ahead.md', 'v9', { ifMatch: 8 });
  assertStatus(response, 412);
  assert.equal(integerAt(jsonOf(response), 'current_version'), 1);
  await assertFile(files, 'ahead.md', 'v1', 1);
});

test(
  ...claims('files.write.stale-identical', 'a stale write of the current bytes succeeds and changes nothing'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('twice.md', 'v1');
    await workspace.put('twice.md', 'v2', { ifMatch: 1 });
    for (const ifMatch of [1, 7]) {
      const response = await workspace.put('twice.md', 'v2', { ifMatch, contentType: 'text/html' });
      assertJson(response, 200, { path: 'twice.md', version: 2 });
    }
    assert.deepEqual(await listedPaths(workspace), ['twice.md']);
    assert.deepEqual(await feedLines(workspace), ['write twice.md 1', 'write twice.md 2']);
    assert.match(headerOf(await workspace.get('twice.md'), 'content-type') ?? '', /^text\/markdown/);
  },
);

test(
  ...claims('files.write.identical', 'the same bytes on the current version are a new version'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('again.md', 'x');
    assertJson(await workspace.put('again.md', 'x', { ifMatch: 1 }), 200, { path: 'again.md', version: 2 });
    assert.deepEqual(await feedLines(workspace), ['write again.md 1', 'write again.md 2']);
  },
);

test(
  ...claims('files.write.absent-if-match', 'an edit of a file that was deleted since recreates it'),
  async () => {
    await files.put('lost.md', 'v1');
    await files.put('lost.md', 'v2', { ifMatch: 1 });
    await files.remove('lost.md', 2);
    assertJson(await files.put('lost.md', 'edited', { ifMatch: 2 }), 201, { path: 'lost.md', version: 1 });
    await assertFile(files, 'lost.md', 'edited', 1);
    assertJson(await files.put('never-was.md', 'x', { ifMatch: 5 }), 201, {
      path: 'never-was.md',
      version: 1,
    });
  },
);

test(...claims('files.write.recreated', 'a file written after its deletion starts again at 1'), async () => {
  await files.put('again/x.md', 'v1');
  await files.put('again/x.md', 'v2', { ifMatch: 1 });
  await files.remove('again/x.md', 2);
  assertJson(await files.put('again/x.md', 'v3'), 201, { path: 'again/x.md', version: 1 });
});

test(
  ...claims(
    ['files.write.empty-body', 'files.write.empty-body-first'],
    'a write without bytes is rejected, whatever else it asks',
  ),
  async () => {
    assertRejection(await files.put('empty.md', ''), 400);
    assertRejection(await files.send('PUT', '/files/empty.md'), 400);
    assertRejection(await files.get('empty.md'), 404);
    await files.put('full.md', 'x');
    assertRejection(await files.put('full.md', ''), 400);
    assertRejection(await files.put('full.md', '', { ifMatch: 1 }), 400);
    assertRejection(await files.put('full.md', '', { ifMatch: 7 }), 400);
    assertRejection(await files.put('full.md', '', { ifNoneMatch: '*' }), 400);
    await assertFile(files, 'full.md', 'x', 1);
  },
);

test(
  ...claims('files.write.empty-body-first', 'an undeclared empty body is also rejected first'),
  async () => {
    await files.put('undeclared.md', 'x');
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    assertRejection(await files.send('PUT', '/files/undeclared.md', { body: nothing() }), 400);
  },
);

test(
  ...claims('files.write.allow-empty', 'an empty file is created, updated and lost by the rules of others'),
  async () => {
    const workspace = await emptyWorkspace();
    const empty = { allowEmpty: '1' };
    assertJson(await workspace.put('a/__init__.py', '', empty), 201, { path: 'a/__init__.py', version: 1 });
    await assertFile(workspace, 'a/__init__.py', '', 1);
    assertRejection(await workspace.put('a/__init__.py', '', empty), 428);
    assertJson(await workspace.put('a/__init__.py', '', { ...empty, ifNoneMatch: '*' }), 200, {
      path: 'a/__init__.py',
      version: 1,
    });
    await workspace.put('plan.md', 'text', { ifNoneMatch: '*' });
    assertJson(await workspace.put('plan.md', '', { ...empty, ifMatch: 1 }), 200, {
      path: 'plan.md',
      version: 2,
    });
    assertJson(await workspace.put('plan.md', '', { ...empty, ifMatch: 1 }), 200, {
      path: 'plan.md',
      version: 2,
    });
    await workspace.put('plan.md', 'again', { ifMatch: 2 });
    const withoutCopy = { ...empty, ifMatch: 2, conflict: 'refuse' };
    assertFlat(await workspace.put('plan.md', '', withoutCopy), 412, {
      error: 'version_conflict',
      current_version: 3,
    });
    const stale = await workspace.put('plan.md', '', { ...empty, ifMatch: 2 });
    assertStatus(stale, 412);
    await assertFile(workspace, textAt(jsonOf(stale), 'conflict_copy_path'), '', 1);
    assertRejection(await workspace.put('plan.md', '', { ...empty, ifMatch: 'x' }), 400);
    assertRejection(await workspace.put('plan.md/x', '', empty), 409);
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    const undeclared = { body: nothing(), headers: { 'x-service-allow-empty': '1', 'if-match': '3' } };
    assertJson(await workspace.send('PUT', '/files/plan.md', undeclared), 200, {
      path: 'plan.md',
      version: 4,
    });
    await assertFile(workspace, 'plan.md', '', 4);
  },
);

test(
  ...claims(
    ['files.write.allow-empty-only', 'files.write.allow-empty-invalid'],
    'only 1 allows an empty body, and bytes are written with it as without',
  ),
  async () => {
    assertJson(await files.put('with-bytes.md', 'x', { allowEmpty: '1' }), 201, {
      path: 'with-bytes.md',
      version: 1,
    });
    for (const allowEmpty of ['0', 'true', '', '1, 1', 'yes']) {
      assertRejection(await files.put('misread.md', '', { allowEmpty }), 400);
      assertRejection(await files.put('misread.md', 'x', { allowEmpty }), 400);
    }
    assertRejection(await files.get('misread.md'), 404);
  },
);

test(...claims('files.write.whole-body', 'a part of a file, or a packed one, is not written'), async () => {
  await files.put('resumed.txt', '0123456789');
  const send = (headers: Record<string, string>) =>
    files.send('PUT', '/files/resumed.txt', { headers: { 'if-match': '1', ...headers }, body: 'ABC' });
  assertRejection(await send({ 'content-range': 'bytes 10-12/13' }), 400);
  const packed = await send({ 'content-encoding': 'gzip' });
  assertRejection(packed, 415);
  assert.equal(headerOf(packed, 'accept-encoding'), 'identity');
  await assertFile(files, 'resumed.txt', '0123456789', 1);
  assertJson(await send({ 'content-encoding': 'identity' }), 200, { path: 'resumed.txt', version: 2 });
});

test(...claims('files.write.streamed', 'a body of unknown length is accepted'), async () => {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let part = 0; part < 20; part += 1) yield Buffer.alloc(7000, part);
  }
  const whole = Buffer.concat(Array.from({ length: 20 }, (_, part) => Buffer.alloc(7000, part)));
  assertJson(await files.send('PUT', '/files/parts.bin', { body: parts() }), 201, {
    path: 'parts.bin',
    version: 1,
  });
  await assertFile(files, 'parts.bin', whole, 1);
});

test(
  ...claims('files.write.atomic', 'of twelve writers on one version one wins and the others are kept'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('race.md', 'base');
    const bodies = Array.from({ length: 12 }, (_, writer) => `writer ${writer}`);
    const responses = await Promise.all(bodies.map((body) => workspace.put('race.md', body, { ifMatch: 1 })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(11).fill(412)]);
    const kept = new Map<string, string>();
    for (const [writer, response] of responses.entries()) {
      const path = response.status === 200 ? 'race.md' : textAt(jsonOf(response), 'conflict_copy_path');
      kept.set(path, bodies[writer] ?? '');
    }
    assert.equal(kept.size, 12);
    for (const [path, body] of kept) assert.equal((await workspace.get(path)).bytes.toString(), body, path);
    const lines = await feedLines(workspace);
    assert.equal(lines.filter((line) => line.startsWith('conflict ')).length, 11);
    assert.equal(lines.filter((line) => line.startsWith('write ')).length, 2);
  },
);

test(
  ...claims('files.write.create-once', 'of twelve writers that create one file one creates it'),
  async () => {
    const workspace = await emptyWorkspace();
    const bodies = Array.from({ length: 12 }, (_, writer) => `creator ${writer}`);
    const responses = await Promise.all(
      bodies.map((body) => workspace.put('one.md', body, { ifNoneMatch: '*' })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(11).fill(412)]);
    const winner = responses.findIndex(({ status }) => status === 201);
    await assertFile(workspace, 'one.md', bodies[winner] ?? '', 1);
    const listed = await listedPaths(workspace);
    const hashes = await Promise.all(listed.map(async (path) => sha256((await workspace.get(path)).bytes)));
    assert.deepEqual(hashes.sort(), bodies.map(sha256).sort());
  },
);

for (const precondition of [{}, { ifNoneMatch: '*' }, { ifMatch: 1 }]) {
  test(
    ...claims(
      ['files.write.under-file', 'files.write.over-folder'],
      `a file and a folder cannot share a name (${JSON.stringify(precondition)})`,
    ),
    async () => {
      const workspace = await emptyWorkspace();
      await workspace.put('a', 'file');
      await workspace.put('folder/deep/x.md', 'file');
      assertRejection(await workspace.put('a/b', 'below', precondition), 409);
      assertRejection(await workspace.put('a/b/c', 'below', precondition), 409);
      assertRejection(await workspace.put('folder', 'over', precondition), 409);
      assertRejection(await workspace.put('folder/deep', 'over', precondition), 409);
      assert.deepEqual(await listedPaths(workspace), ['a', 'folder/deep/x.md']);
    },
  );
}
