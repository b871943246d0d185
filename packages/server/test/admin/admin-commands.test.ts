import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ContentHash } from '@stoa/core';
import { memberViewer, parseWorkspacePath } from '@stoa/core';
import { programEnvironment } from '../../../../tests/support/program-environment.ts';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { createKey } from '../../src/service/keys/create-key.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';

import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { addMember, removeMembership, signedIn } from '../support/signed-in.ts';
import { type Installation, openInstallation, runAdminProcess } from './support/admin-process.ts';

const newAda = ['user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada'];

test('an account made next to a running server can sign in at once, though sign-up is closed', async () => {
  await using server = await openInstallation();
  const { code, out, err } = await server.adminProcess([...newAda, '--json']);
  assert.deepEqual([code, err], [0, '']);
  const { user, password } = JSON.parse(out);
  assert.deepEqual(Object.keys(user), ['id', 'email', 'name']);
  assert.deepEqual([user.email, user.name], ['ada@example.com', 'Ada']);
  assert.equal(password.length, 24);
  assert.equal(await signIn(server, user.email, password), 200);
});

test('reads a password from standard input without printing it; reports an open data directory', async () => {
  await using server = await openInstallation();
  const { dataDir } = server.config;
  await chmod(dataDir, 0o755);
  const { code, out, err } = await server.adminProcess(
    [...newAda, '--password-stdin'],
    'analytical engine\n',
  );
  assert.equal(code, 0);
  assert.equal(err, `other accounts can enter the data directory ${dataDir}: close it with chmod 700\n`);
  assert.match(out, /^Created the account user_\S+ for ada@example\.com\.\n$/);
  assert.equal(await signIn(server, 'ada@example.com', 'analytical engine'), 200);
});

test('a generated password is printed once, and every one is different', async () => {
  await using server = await openInstallation();
  const first = await server.admin(newAda);
  const second = await server.admin(['user', 'create', '--email', 'b@example.com', '--name', 'B']);
  const [, made] = /^Password, shown only now: (\S+)$/m.exec(first.out) ?? [];
  assert.ok(made);
  assert.ok(!second.out.includes(made));
});

test('an account that cannot be made is rejected with a reason', async () => {
  await using server = await openInstallation();
  await server.admin(newAda);
  const taken = await server.admin(newAda);
  assert.equal(taken.code, 1);
  assert.equal(taken.out, '');
  assert.match(
    taken.err,
    /an account with this e-mail address exists; `npm run admin -- user list` shows it/,
  );
  const short = await server.admin([...newAda, '--password-stdin', '--json'], 'short');
  assert.equal(short.code, 1);
  assert.match(JSON.parse(short.err).error, /^password must have 8 to 128 characters/);
  const endless = await server.adminProcess([...newAda, '--password-stdin'], 'x'.repeat(100_000));
  assert.equal(endless.code, 1);
  assert.match(endless.err, /standard input is longer than/);
});

test('the lists are empty at first and then show everything', async () => {
  await using server = await openInstallation();
  assert.equal((await server.admin(['user', 'list'])).out, 'There are no accounts.\n');
  assert.deepEqual(JSON.parse((await server.admin(['workspace', 'list', '--json'])).out), { workspaces: [] });
  const owner = await newOwner(server);
  const workspaceId = await newWorkspace(server, owner);
  const [user] = JSON.parse((await server.admin(['user', 'list', '--json'])).out).users;
  assert.deepEqual(Object.keys(user), ['id', 'email', 'name', 'createdAt', 'disabledAt']);
  assert.equal(user.id, owner.actor.userId);
  const [workspace] = JSON.parse((await server.admin(['workspace', 'list', '--json'])).out).workspaces;
  assert.equal(typeof workspace.createdAt, 'string');
  const { createdAt: _, ...rest } = workspace;
  assert.deepEqual(rest, {
    id: workspaceId,
    name: 'Notes',
    plan: 'unlimited',
    status: 'active',
    usedBytes: 0,
    usedFiles: 0,
    historyBytes: 0,
  });
  assert.match(
    (await server.admin(['workspace', 'list'])).out,
    /^id +name +plan .*\nws_\S+ +Notes +unlimited +active/,
  );
});

test('a workspace lapses and is renewed under a running server', async () => {
  await using server = await openInstallation();
  const workspaceId = await newWorkspace(server, await newOwner(server));
  const isLapsed = async () => (await server.deps.service.store.reader.workspaces.find(workspaceId))?.lapsed;
  const lapsed = await server.adminProcess(['workspace', 'lapse', workspaceId, '--json']);
  assert.equal(lapsed.code, 0);
  assert.equal(JSON.parse(lapsed.out).workspace.status, 'lapsed');
  assert.equal(await isLapsed(), true);
  const renewed = await server.adminProcess(['workspace', 'renew', workspaceId]);
  assert.match(renewed.out, /^The workspace ws_\S+ \(Notes\) is active: it can be written to\.$/m);
  assert.equal(await isLapsed(), false);
});

test('a workspace can be put on an existing plan only', async () => {
  await using server = await openInstallation();
  const workspaceId = await newWorkspace(server, await newOwner(server));
  const known = await server.admin(['workspace', 'plan', workspaceId, 'unlimited']);
  assert.equal(known.code, 0);
  assert.equal((await server.deps.service.store.reader.workspaces.find(workspaceId))?.planId, 'unlimited');
  const unknown = await server.admin(['workspace', 'plan', workspaceId, 'gold']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^no plan gold; the plans are unlimited/);
});

test('a missing workspace is reported with the command that lists the workspaces', async () => {
  await using server = await openInstallation();
  for (const args of [
    ['workspace', 'lapse', 'ws_x'],
    ['workspace', 'renew', 'ws_x'],
    ['workspace', 'plan', 'ws_x', 'unlimited'],
    ['privacy', 'list', 'ws_x'],
    ['privacy', 'reclaim', 'ws_x', 'a.md'],
  ]) {
    const { code, err } = await server.admin(args);
    assert.equal(code, 1);
    assert.equal(err, 'no workspace ws_x; `npm run admin -- workspace list` shows them\n');
  }
});

test('lists private items of former members, and shares them or gives them to a member', async () => {
  await using server = await openInstallation();
  const { service } = server.deps;
  const owner = await newOwner(server);
  const ownerId = owner.actor.userId;
  const workspaceId = await newWorkspace(server, owner);
  const reclaim = (...args: readonly string[]) => server.admin(['privacy', 'reclaim', workspaceId, ...args]);
  const list = (...args: readonly string[]) => server.admin(['privacy', 'list', workspaceId, ...args]);
  const ben = await signedIn(service.store, 'ben', 'Ben');
  await addMember(service.store, workspaceId, 'ben');
  const bens = await openWorkspace(service, ben, workspaceId);
  for (const folder of ['a', 'b']) {
    await setNodePrivate(service, bens, { path: parseWorkspacePath(folder), kind: 'folder', private: true });
    await writeFile(service, bens, {
      path: parseWorkspacePath(`${folder}/note.md`),
      precondition: { kind: 'absent' },
      onConflict: 'keep',
      contentType: null,
      body: Readable.from([Buffer.from('# A note')]),
      emptyAllowed: false,
    });
  }
  await removeMembership(service.store, workspaceId, 'ben');
  const item = (path: string) => {
    return { path, kind: 'folder', owner: { id: 'ben', name: 'Ben' }, isMember: false };
  };
  assert.deepEqual(JSON.parse((await list('--json')).out), { items: [item('a'), item('b')] });
  assert.match((await list()).out, /^path +kind +owner +name +why\na +folder +ben +Ben +left\n/);
  assert.equal((await reclaim('a')).out, 'The folder a is shared with the members.\n');
  const stranger = await reclaim('b', '--to', 'ben');
  assert.deepEqual([stranger.code, stranger.out], [1, '']);
  assert.match(stranger.err, /^Ben \(ben\) is not a member of the workspace/);
  const given = await reclaim('b', '--to', ownerId, '--json');
  assert.deepEqual(JSON.parse(given.out), { path: 'b', kind: 'folder', ownerId });
  assert.match((await reclaim('b')).err, /^no former member or disabled account has this private item/);
  assert.equal((await list()).out, 'No former member or disabled account has private items here.\n');
  const all = { viewer: memberViewer(ownerId), sinceSeq: 0, limit: 100, includeComments: false };
  const { changes } = await service.store.reader.changes.scan({ workspaceId, ...all });
  const granted = changes.filter(({ op }) => op === 'access_granted');
  assert.deepEqual(
    granted.map(({ path, actorId }) => `${path} ${actorId}`),
    ['a operator', 'b operator'],
  );
});

test('the operator sees disabled users, names a member by address, and sees who sees an item', async () => {
  await using server = await openInstallation();
  const { service } = server.deps;
  const workspaceId = await newWorkspace(server, await newOwner(server));
  const run = async (...args: readonly string[]) => await server.admin(['privacy', ...args]);
  const hide = async (userId: string, path: string) => {
    const member = await openWorkspace(service, await signedIn(service.store, userId), workspaceId);
    await setNodePrivate(service, member, { path: parseWorkspacePath(path), kind: 'folder', private: true });
  };
  for (const userId of ['ben', 'cleo', 'dan']) {
    await signedIn(service.store, userId);
    await addMember(service.store, workspaceId, userId);
  }
  for (const path of ['cell/inner', 'b']) await hide('ben', path);
  await hide('cleo', 'cell');
  for (const userId of ['ben', 'dan']) await server.admin(['user', 'disable', userId]);
  const listed = (await run('list', workspaceId)).out;
  assert.match(listed, /^b +folder +ben +ben +disabled\ncell\/inner +folder +ben +ben +disabled\n$/m);
  const disabled = await run('reclaim', workspaceId, 'b', '--to', 'dan@example.org');
  assert.deepEqual([disabled.code, disabled.err], [1, 'dan (dan) is disabled and cannot receive it\n']);
  const nobody = await run('reclaim', workspaceId, 'b', '--to', 'eve@example.org');
  assert.match(nobody.err, /^no account eve@example\.org/);
  const given = await run('reclaim', workspaceId, 'b', '--to', 'Cleo@example.org');
  assert.equal(given.out, 'The folder b is private to cleo (cleo).\n');
  const shared = await run('reclaim', workspaceId, 'cell/inner');
  assert.equal(shared.out, 'The folder cell/inner is private to cleo (cleo), as all of cell is.\n');
});

test('a key revoked by the operator fails at its next use', async () => {
  await using server = await openInstallation();
  const { id, secret } = await createKey(server.deps.service, await newOwner(server), {});
  await server.deps.auth.authenticate({ apiKey: secret, cookie: null });
  const { code, out } = await server.adminProcess(['key', 'revoke', id, '--json']);
  assert.deepEqual([code, JSON.parse(out)], [0, { revoked: id }]);
  await assert.rejects(server.deps.auth.authenticate({ apiKey: secret, cookie: null }), {
    code: 'invalid_api_key',
    details: { reason: 'KEY_NOT_FOUND' },
  });
  const again = await server.admin(['key', 'revoke', id]);
  assert.equal(again.code, 1);
  assert.match(again.err, /or it is revoked already/);
});

test('the operator discards the index of contents, and the server rebuilds it', async () => {
  await using server = await openInstallation();
  const owner = await newOwner(server);
  const workspaceId = await newWorkspace(server, owner);
  const { wordIndex } = server.deps.service;
  const bytes = new TextEncoder().encode('a falcon');
  await wordIndex.add(workspaceId, [{ part: '', contentHash: 'a' as ContentHash, bytes }]);
  assert.equal((await wordIndex.entries(workspaceId, 0)).entries.length, 1);
  const run = await server.adminProcess(['content-index', 'rebuild']);
  assert.deepEqual([run.code, run.err], [0, '']);
  assert.match(run.out, /running nodes rebuild it/);
  assert.deepEqual((await wordIndex.entries(workspaceId, 0)).entries, []);
});

test('a check says what the index of contents takes and lacks, and passes', async () => {
  await using server = await openInstallation();
  const owner = await newOwner(server);
  const workspaceId = await newWorkspace(server, owner);
  const { wordIndex, store } = server.deps.service;
  const access = await openWorkspace(server.deps.service, owner, workspaceId);
  const write = (path: string, text: string) =>
    writeFile(server.deps.service, access, {
      path: parseWorkspacePath(path),
      precondition: { kind: 'absent' },
      onConflict: 'keep',
      contentType: null,
      body: Readable.from([Buffer.from(text)]),
      emptyAllowed: true,
    });
  await write('falcon.md', 'a falcon');
  await write('same.md', 'a falcon');
  await write('mine/same.md', 'a falcon');
  await write('heron.md', 'a heron');
  await setNodePrivate(server.deps.service, access, {
    path: parseWorkspacePath('mine'),
    kind: 'folder',
    private: true,
  });
  const stateOf = async () => {
    const { code, out, err } = await server.admin(['check', '--json']);
    assert.deepEqual([code, err], [0, '']);
    return JSON.parse(out).contentIndex;
  };
  const empty = await stateOf();
  assert.ok(empty.bytes > 0);
  assert.deepEqual([empty.entries, empty.missing], [0, 3]);
  const shown = await server.adminProcess(['check']);
  assert.deepEqual([shown.code], [0], shown.err);
  assert.match(
    shown.out,
    /Nothing is wrong\.\n\nThe content index has 0 contents in \d+ bytes; 3 are missing/,
  );
  const file = await store.reader.files.find(workspaceId, parseWorkspacePath('falcon.md'));
  const contentHash = file?.contentHash ?? ('' as ContentHash);
  await wordIndex.add(workspaceId, [{ part: '', contentHash, bytes: Buffer.from('a falcon') }]);
  const { entries, missing } = await stateOf();
  assert.deepEqual([entries, missing], [1, 2]);
});

test('a check passes with an index of contents that cannot be read, and says so', async () => {
  await using server = await openInstallation();
  const { wordIndex } = server.deps.service;
  const sizeBytes = wordIndex.sizeBytes;
  Object.assign(wordIndex, { sizeBytes: () => Promise.reject(new Error('the disk is sick')) });
  const { code, out } = await server.admin(['check']);
  Object.assign(wordIndex, { sizeBytes });
  assert.equal(code, 0);
  assert.match(out, /Nothing is wrong\.\n\nThe content index could not be read: the disk is sick/);
});

test('with SQLite there is no shared secret to forget: the error says how to change it', async () => {
  await using server = await openInstallation();
  const { code, out, err } = await server.admin(['secret', 'forget']);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /restart it with another STOA_SECRET\. All users must then sign in again/);
});

test('an unknown command or a wrong setting exits with 2, and help with 0', async () => {
  await using server = await openInstallation();
  const wrong = await server.adminProcess(['workspace', 'explode']);
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /^no command "workspace explode"/);
  const settings = await runAdminProcess(['user', 'list'], '', { STOA_SIGNUP: 'sometimes' });
  assert.equal(settings.code, 2);
  assert.match(settings.err, /STOA_SIGNUP/);
  const help = await server.adminProcess(['--help']);
  assert.deepEqual([help.code, help.err], [0, '']);
  assert.match(help.out, /user create/);
});

test('a command whose output is not read to its end does its work without an error', async () => {
  await using server = await openInstallation();
  const main = fileURLToPath(new URL('../../bin/stoa-admin.cjs', import.meta.url));
  const env = { ...programEnvironment, STOA_DATA_DIR: server.config.dataDir };
  const child = spawn(process.execPath, [main, ...newAda], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, err], [0, '']);
  assert.match((await server.admin(['user', 'list'])).out, /ada@example\.com/);
});

async function signIn(server: Installation, email: string, password: string): Promise<number> {
  const response = await server.deps.auth.answer({
    method: 'POST',
    path: 'sign-in/email',
    query: '',
    body: { email, password },
    cookie: null,
    userAgent: null,
    origin: null,
    secFetchSite: null,
    clientAddress: '127.0.0.1',
  });
  return response.status;
}

async function newOwner(server: Installation): Promise<Caller> {
  const { user } = JSON.parse((await server.admin([...newAda, '--json'])).out);
  return signedIn(server.deps.service.store, user.id, user.name);
}

async function newWorkspace(server: Installation, owner: Caller): Promise<string> {
  const fields = { name: 'Notes', icon: null, color: null };
  return (await createWorkspace(server.deps.service, owner, fields)).id;
}
