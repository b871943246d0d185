import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, feedLines, listedPaths } from '../support/expect.ts';
import { operator } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { integerAt, jsonOf, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

/** The plan's file limit is below the server's ceiling on one plan and above it on the other. */
const plans = {
  default: 'small',
  plans: [
    { id: 'small', name: 'Small', storageBytes: 1000, files: 10, fileBytes: 400, workspaces: 2 },
    {
      id: 'large',
      name: 'Large',
      storageBytes: null,
      files: null,
      fileBytes: 1_000_000_000,
      workspaces: null,
    },
    { id: 'brief', name: 'Short history', storageBytes: 1000, historyBytes: 500 },
  ],
};
const ceiling = 200_000;

const folder = await mkdtemp(join(tmpdir(), 'stoa-plans-'));
const plansFile = join(folder, 'plans.json');
await writeFile(plansFile, JSON.stringify(plans));
after(() => rm(folder, { recursive: true }));
const { service, client: server } = await useOwnService({
  STOA_PLANS: plansFile,
  STOA_MAX_FILE_BYTES: String(ceiling),
});

/** A new person each time: the plan allows two workspaces. */
async function smallWorkspace(): Promise<WorkspaceClient> {
  const person = await signUp(server);
  return createWorkspace(person, (await createKey(person, { name: 'Robot' })).client);
}

async function largeWorkspace(): Promise<WorkspaceClient> {
  const workspace = await smallWorkspace();
  await operator(service, 'workspace', 'plan', workspace.id, 'large');
  return workspace;
}

const large = await largeWorkspace();

/** A workspace whose plan keeps 500 bytes of earlier versions. */
async function briefWorkspace(): Promise<WorkspaceClient> {
  const workspace = await smallWorkspace();
  await operator(service, 'workspace', 'plan', workspace.id, 'brief');
  return workspace;
}

test(...claims('account.plans', 'the plans of the server are public'), async () => {
  const response = await server.send('GET', '/api/plans');
  assertStatus(response, 200);
  const text = response.bytes.toString();
  assert.match(text, /"small"/);
  assert.match(text, /"large"/);
});

test(
  ...claims(
    ['limits.file.plan', 'limits.file.exact', 'limits.file.too-large', 'limits.file.nothing-stored'],
    "the plan's limit for a file holds to the byte",
  ),
  async () => {
    const workspace = await smallWorkspace();
    assertStatus(await workspace.put('fits.bin', randomBytes(400)), 201);
    const response = await workspace.put('over.bin', randomBytes(401));
    assertRejection(response, 413, { data: { error: 'file_too_large', limit_bytes: 400 } });
    assert.deepEqual(await listedPaths(workspace), ['fits.bin']);
    assert.deepEqual(await feedLines(workspace), ['write fits.bin 1']);
    assert.equal(integerAt(jsonOf(await workspace.query('usage')), 'maxFileBytes'), 400);
  },
);

test(
  ...claims(['limits.file.plan', 'limits.file.exact'], "no plan goes above the server's ceiling"),
  async () => {
    assertStatus(await large.put('fits.bin', randomBytes(ceiling)), 201);
    const response = await large.put('over.bin', randomBytes(ceiling + 1));
    assertRejection(response, 413, { data: { error: 'file_too_large', limit_bytes: ceiling } });
    assert.equal(integerAt(jsonOf(await large.query('usage')), 'maxFileBytes'), ceiling);
  },
);

test(...claims('limits.file.too-large', 'an update over the limit leaves the file as it was'), async () => {
  const workspace = await smallWorkspace();
  await workspace.put('a.bin', 'small');
  assertRejection(await workspace.put('a.bin', randomBytes(500), { ifMatch: 1 }), 413);
  await assertFile(workspace, 'a.bin', 'small', 1);
});

/** The start of a PUT into the large workspace, up to and including the given headers. */
function putHead(path: string, headers: readonly string[]): string {
  return [
    `PUT ${large.root}/files/${path} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    'Connection: close',
    `x-api-key: ${large.credentials['x-api-key']}`,
    ...headers,
    '\r\n',
  ].join('\r\n');
}

test(
  ...claims('limits.file.declared', 'a declared size over the limit is rejected before any byte is sent'),
  async () => {
    const response = await sendRaw(server.url, putHead('declared.bin', ['Content-Length: 5000000000']));
    assertRejection(response, 413, { data: { error: 'file_too_large', limit_bytes: ceiling } });
  },
);

test(...claims('limits.file.declared', 'a client that asks first gets the error at once'), async () => {
  const head = putHead('expected.bin', ['Expect: 100-continue', 'Content-Length: 5000000']);
  assertStatus(await sendRaw(server.url, head), 413);
});

test(...claims('limits.file.counted', 'an endless body is rejected once it passes the limit'), async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const head = putHead('endless.bin', ['Transfer-Encoding: chunked']);
  const response = await sendRaw(server.url, head + chunk.repeat(8));
  assertRejection(response, 413, { data: { error: 'file_too_large', limit_bytes: ceiling } });
  assertRejection(await large.get('endless.bin'), 404);
});

test(
  ...claims(
    ['limits.quota.storage', 'limits.quota.nothing-stored', 'errors.flat'],
    'a write beyond the storage limit is rejected with the numbers',
  ),
  async () => {
    const workspace = await smallWorkspace();
    await workspace.put('a.bin', randomBytes(400));
    await workspace.put('b.bin', randomBytes(400));
    const response = await workspace.put('c.bin', randomBytes(201));
    assertFlat(response, 507, { error: 'quota_exceeded', used_bytes: 800, limit_bytes: 1000 });
    assert.deepEqual(await listedPaths(workspace), ['a.bin', 'b.bin']);
    assert.equal((await feedLines(workspace)).length, 2);
    assertStatus(await workspace.put('c.bin', randomBytes(200)), 201);
  },
);

test(
  ...claims(
    ['limits.quota.files', 'workspaces.usage-warning', 'workspaces.usage', 'limits.quota.nothing-stored'],
    'a file beyond the file limit is rejected with the numbers',
  ),
  async () => {
    const workspace = await smallWorkspace();
    for (let n = 1; n <= 10; n += 1) {
      assertStatus(await workspace.put(`${n}.md`, 'x'), 201);
      const usage = jsonOf(await workspace.query('usage'));
      assert.equal(usage.warning, n >= 9, `${n} files`);
      assert.equal(integerAt(usage, 'remainingFiles'), 10 - n);
      assert.equal(integerAt(usage, 'limitFiles'), 10);
      assert.equal(integerAt(usage, 'limitBytes'), 1000);
      assert.equal(integerAt(usage, 'remainingBytes'), 1000 - n);
    }
    const response = await workspace.put('11.md', 'x');
    assertFlat(response, 507, { error: 'file_count_exceeded', used_files: 10, limit_files: 10 });
    assertStatus(await workspace.put('1.md', 'y', { ifMatch: 1 }), 200);
    assert.equal((await listedPaths(workspace)).length, 10);
  },
);

test(
  ...claims(
    ['limits.quota.both', 'limits.quota.net', 'limits.quota.shrink'],
    'a full workspace accepts changes that do not add to it',
  ),
  async () => {
    const workspace = await smallWorkspace();
    for (let n = 0; n < 10; n += 1) assertStatus(await workspace.put(`${n}.md`, randomBytes(100)), 201);
    const full = { error: 'quota_exceeded', used_bytes: 1000, limit_bytes: 1000 };
    assertFlat(await workspace.put('new.md', 'x'), 507, full);
    assertStatus(await workspace.put('0.md', randomBytes(100), { ifMatch: 1 }), 200);
    assertStatus(await workspace.put('0.md', randomBytes(50), { ifMatch: 2 }), 200);
    assertFlat(await workspace.put('1.md', randomBytes(151), { ifMatch: 1 }), 507, {
      ...full,
      used_bytes: 950,
    });
    assertStatus(await workspace.put('1.md', randomBytes(150), { ifMatch: 1 }), 200);
    assertStatus(await workspace.post('move', { from: '1.md', to: 'moved.md' }), 200);
    assertStatus(await workspace.remove('moved.md', 1), 204);
    assertStatus(await workspace.put('new.md', randomBytes(150)), 201);
  },
);

test(...claims('limits.quota.history-free', 'earlier versions do not count as storage'), async () => {
  const workspace = await smallWorkspace();
  await workspace.put('a.bin', randomBytes(400));
  for (let version = 1; version <= 8; version += 1) {
    assertStatus(await workspace.put('a.bin', randomBytes(400), { ifMatch: version }), 200);
  }
  assert.equal(integerAt(jsonOf(await workspace.query('usage')), 'usedBytes'), 400);
});

test(...claims('limits.quota.restore', 'a restore beyond the storage limit is rejected'), async () => {
  const workspace = await smallWorkspace();
  await workspace.put('a.bin', randomBytes(400));
  await workspace.put('a.bin', 'small', { ifMatch: 1 });
  await workspace.put('b.bin', randomBytes(400));
  await workspace.put('c.bin', randomBytes(400));
  const response = await workspace.post('restore', { path: 'a.bin', targetVersion: 1 });
  assertFlat(response, 507, { error: 'quota_exceeded', used_bytes: 805, limit_bytes: 1000 });
  await assertFile(workspace, 'a.bin', 'small', 2);
});

test(
  ...claims('files.copy.over-quota', 'a stale write that does not fit is rejected and not kept'),
  async () => {
    const workspace = await smallWorkspace();
    for (const name of ['a', 'b']) await workspace.put(name, randomBytes(400));
    const response = await workspace.put('a', randomBytes(300), { ifMatch: 9 });
    assertFlat(response, 507, { error: 'quota_exceeded', used_bytes: 800, limit_bytes: 1000 });
    assert.deepEqual(await listedPaths(workspace), ['a', 'b']);
    const kept = await workspace.put('a', randomBytes(200), { ifMatch: 9 });
    assertStatus(kept, 412);
    assert.equal((await listedPaths(workspace)).length, 3);
    assert.ok(textAt(jsonOf(kept), 'conflict_copy_path'));
  },
);

test(
  ...claims('files.write.conflict-refuse-before-quota', 'a stale write without a copy needs no storage'),
  async () => {
    const workspace = await smallWorkspace();
    for (const name of ['a', 'b']) await workspace.put(name, randomBytes(400));
    const response = await workspace.put('a', randomBytes(300), { ifMatch: 9, conflict: 'refuse' });
    assertFlat(response, 412, { error: 'version_conflict', current_version: 1 });
  },
);

test(
  ...claims(
    ['limits.history', 'limits.quota.nothing-stored', 'errors.flat'],
    'a write beyond the history limit is rejected with the numbers',
  ),
  async () => {
    const workspace = await briefWorkspace();
    assertStatus(await workspace.put('a.bin', randomBytes(400)), 201);
    assertStatus(await workspace.put('a.bin', randomBytes(100), { ifMatch: 1 }), 200);
    assertStatus(await workspace.put('a.bin', randomBytes(101), { ifMatch: 2 }), 200);
    const usage = jsonOf(await workspace.query('usage'));
    assert.deepEqual([usage.usedBytes, usage.historyBytes, usage.limitHistoryBytes], [101, 500, 500]);
    const full = { error: 'history_exceeded', used_bytes: 500, limit_bytes: 500 };
    const before = await feedLines(workspace);
    assertFlat(await workspace.put('a.bin', 'x', { ifMatch: 3 }), 507, full);
    assertFlat(await workspace.post('restore', { path: 'a.bin', targetVersion: 1 }), 507, full);
    assert.deepEqual(await feedLines(workspace), before);
    // A new file adds nothing to the history. A stale write does not add to it, because it is kept as its own
    // file.
    assertStatus(await workspace.put('new.bin', randomBytes(10)), 201);
    assertStatus(await workspace.put('a.bin', randomBytes(10), { ifMatch: 1 }), 412);
    assertStatus(await workspace.post('move', { from: 'new.bin', to: 'moved.bin' }), 200);
    assert.equal(integerAt(jsonOf(await workspace.query('usage')), 'historyBytes'), 500);
  },
);

test(
  ...claims('limits.history-delete', 'a delete always works, but writes fail while the history is too large'),
  async () => {
    const workspace = await briefWorkspace();
    assertStatus(await workspace.put('a.bin', randomBytes(501)), 201);
    assertStatus(await workspace.put('b.bin', randomBytes(400)), 201);
    assertStatus(await workspace.remove('a.bin', 1), 204);
    const full = { error: 'history_exceeded', used_bytes: 501, limit_bytes: 500 };
    assertFlat(await workspace.put('new.bin', 'x'), 507, full);
    assertFlat(await workspace.put('b.bin', 'x', { ifMatch: 9 }), 507, full);
    assertFlat(await workspace.post('restore', { path: 'a.bin', targetVersion: 1 }), 507, full);
    assertStatus(await workspace.post('move', { from: 'b.bin', to: 'c.bin' }), 200);
    assertStatus(await workspace.remove('c.bin', 1), 204);
    const { usedBytes, historyBytes } = jsonOf(await workspace.query('usage'));
    assert.deepEqual([usedBytes, historyBytes], [0, 901]);
    assertStatus(await workspace.query('version', { path: 'a.bin', version: 1 }), 200);
    await operator(service, 'workspace', 'plan', workspace.id, 'small');
    assertStatus(await workspace.put('new.bin', 'x'), 201);
  },
);

test(...claims('workspaces.usage-unlimited', 'a missing limit is null'), async () => {
  const { limitBytes, remainingBytes, limitFiles, remainingFiles, limitHistoryBytes, warning } = jsonOf(
    await large.query('usage'),
  );
  assert.deepEqual(
    { limitBytes, remainingBytes, limitFiles, remainingFiles, limitHistoryBytes, warning },
    {
      limitBytes: null,
      remainingBytes: null,
      limitFiles: null,
      remainingFiles: null,
      limitHistoryBytes: null,
      warning: false,
    },
  );
});

test(...claims(['workspaces.allowance', 'errors.flat'], 'a third workspace is beyond the plan'), async () => {
  const person = await signUp(server);
  await createWorkspace(person);
  await createWorkspace(person);
  const response = await person.session.send('POST', '/api/workspaces', { json: { name: 'Third' } });
  assertFlat(response, 402, { error: 'workspace_limit_exceeded', used: 2, limit: 2 });
});

test(...claims('limits.quota.storage', 'racing writers do not exceed the storage limit'), async () => {
  const workspace = await smallWorkspace();
  const responses = await Promise.all(
    Array.from({ length: 9 }, (_, n) => workspace.put(`${n}.bin`, randomBytes(300))),
  );
  assert.deepEqual(
    responses.map(({ status }) => status).sort(),
    [201, 201, 201, 507, 507, 507, 507, 507, 507],
  );
  assert.equal(integerAt(jsonOf(await workspace.query('usage')), 'usedBytes'), 900);
});
