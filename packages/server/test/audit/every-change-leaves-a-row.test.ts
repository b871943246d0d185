import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { type RouteId, routes } from '@stoa/contract';
import type { AuditAction } from '@stoa/core';
import { authEndpoints } from '../../src/auth/auth-endpoints.ts';
import { scripts } from '../../src/service/scripts.ts';
import { password, startedServer } from '../http/support/started-server.ts';

/**
 * Every change of permissions leaves a row in the audit log. Each script, changing route and sign-in endpoint
 * is listed in a table here, with the rows that it leaves or the reason why it leaves none. A new one fails
 * until it is listed.
 */

const server = await startedServer();
const { workspaceId } = server;
const database = join(server.server.config.dataDir, 'stoa.db');
const db = new DatabaseSync(database, { readOnly: true });
after(async () => {
  db.close();
  await server[Symbol.asyncDispose]();
});

interface Row {
  readonly action: AuditAction;
  readonly workspace_id: string | null;
  readonly actor_id: string | null;
  readonly actor_key_id: string | null;
  readonly actor_label: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly person_id: string | null;
  readonly target_id: string | null;
  readonly details: string;
}

const rows = () => db.prepare('select * from audit_entry order by rowid').all() as unknown as Row[];

/** Sends a request and returns the audit rows that it added. They share one request and one address. */
async function left(send: () => Promise<Response>): Promise<{ response: Response; rows: readonly Row[] }> {
  const before = rows().length;
  const response = await send();
  const added = rows().slice(before);
  for (const row of added) {
    assert.equal(row.address, '127.0.0.1');
    assert.equal(row.request_id, added[0]?.request_id);
    assert.match(row.request_id ?? '', /^[0-9a-f]{8}-/);
  }
  return { response, rows: added };
}

/** Sends a request while the audit log rejects every row. */
async function withoutItsRow(request: () => Promise<Response>): Promise<Response> {
  const own = new DatabaseSync(database, { timeout: 15_000 });
  own.exec("create trigger no_row before insert on audit_entry begin select raise(abort, 'no row'); end");
  try {
    return await request();
  } finally {
    own.exec('drop trigger no_row');
    own.close();
  }
}

const actionsOf = (those: readonly Row[]) => those.map(({ action }) => action);

function send(method: string, path: string, body?: unknown, cookie = server.cookie): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');

async function jsonOf<Body>(response: Response): Promise<Body> {
  assert.ok(response.ok, await response.clone().text());
  return (await response.json()) as Body;
}

async function signUp(name: string): Promise<string> {
  const person = { name, email: `${name.toLowerCase()}@example.org`, password };
  return cookieOf(await send('POST', '/api/auth/sign-up/email', person, ''));
}

const idOf = async (cookie: string) =>
  (await jsonOf<{ user: { id: string } }>(await send('GET', '/api/auth/get-session', undefined, cookie))).user
    .id;

const at = (path: string) => server.at(path);
/** Secrets that must not appear in the log. */
const secrets = [password, 'another password', 'not the password', server.apiKey];
const put = (path: string) =>
  server.call(at(`files/${path}`), { method: 'PUT', body: 'text', headers: { 'if-none-match': '*' } });

async function newInvite(): Promise<{ id: string; token: string }> {
  const made = await jsonOf<{ id: string; url: string }>(await send('POST', '/api/invites', { workspaceId }));
  const token = made.url.split('/').at(-1) ?? '';
  secrets.push(token);
  return { id: made.id, token };
}

async function newMember(name: string): Promise<{ id: string; cookie: string }> {
  const cookie = await signUp(name);
  const { token } = await newInvite();
  assert.equal((await send('POST', `/api/invites/${token}/accept`, undefined, cookie)).status, 200);
  return { id: await idOf(cookie), cookie };
}

async function newShare(): Promise<string> {
  await put('shared.md');
  const body = { path: 'shared.md', kind: 'file', access: 'member' };
  const { share } = await jsonOf<{ share: { id: string; url: string } }>(
    await send('POST', at('shares'), body),
  );
  secrets.push(share.url.split('/').at(-1) ?? '');
  return share.id;
}

async function newCode(): Promise<string> {
  const made = await fetch(`${server.url}/api/device/code`, { method: 'POST' });
  const codes = await jsonOf<{ user_code: string; device_code: string }>(made);
  secrets.push(codes.user_code, codes.device_code);
  return codes.user_code;
}

/** The actions that a route records, and a function that prepares its request. */
type Left = readonly [actions: readonly AuditAction[], prepare: () => Promise<() => Promise<Response>>];

const leaving: Partial<Record<RouteId, Left>> = {
  createWorkspace: [
    ['workspace.make'],
    async () => () => send('POST', '/api/workspaces', { name: 'Another' }),
  ],
  removeMember: [
    ['member.remove', 'key.revoke'],
    async () => {
      const { id, cookie } = await newMember('Bob');
      await send('POST', '/api/keys', { workspaceId }, cookie);
      return () => send('DELETE', at(`members/${id}`));
    },
  ],
  changeRole: [
    ['member.role'],
    async () => {
      const { id } = await newMember('Carl');
      return () => send('PATCH', at(`members/${id}`), { role: 'admin' });
    },
  ],
  reclaimDepartedPrivate: [
    ['privacy.reclaim'],
    async () => {
      const { id, cookie } = await newMember('Dora');
      await send('PUT', at('node-private'), { path: 'left', kind: 'folder', private: true }, cookie);
      await send('DELETE', at(`members/${id}`));
      return () => send('POST', at('departed-private/reclaim'), { path: 'left' });
    },
  ],
  createInvite: [['invite.make'], async () => () => send('POST', '/api/invites', { workspaceId })],
  acceptInvite: [
    ['invite.use', 'member.join'],
    async () => {
      const cookie = await signUp('Emil');
      const { token } = await newInvite();
      return () => send('POST', `/api/invites/${token}/accept`, undefined, cookie);
    },
  ],
  revokeInvite: [
    ['invite.revoke'],
    async () => {
      const { id } = await newInvite();
      return () => send('DELETE', at(`invites/${id}`));
    },
  ],
  createShare: [
    ['share.make'],
    async () => {
      await put('other.md');
      return () => send('POST', at('shares'), { path: 'other.md', kind: 'file', access: 'member' });
    },
  ],
  updateShare: [
    ['share.change'],
    async () => {
      const id = await newShare();
      return () => send('PATCH', at(`shares/${id}`), { allowScripts: true });
    },
  ],
  revokeShare: [
    ['share.revoke'],
    async () => {
      const id = await newShare();
      return () => send('DELETE', at(`shares/${id}`));
    },
  ],
  createKey: [['key.make'], async () => () => send('POST', '/api/keys', { workspaceId, name: 'A key' })],
  revokeKey: [
    ['key.revoke'],
    async () => {
      const { id, key } = await jsonOf<{ id: string; key: string }>(
        await send('POST', '/api/keys', { workspaceId }),
      );
      secrets.push(key);
      return () => send('DELETE', `/api/keys/${id}`);
    },
  ],
  approveDevice: [
    ['key.approve'],
    async () => {
      const userCode = await newCode();
      await send('POST', '/api/device/lookup', { userCode });
      return () => send('POST', '/api/device/approve', { userCode, workspaceId });
    },
  ],
  denyDevice: [
    ['key.revoke'],
    async () => {
      const userCode = await newCode();
      await send('POST', '/api/device/lookup', { userCode });
      await send('POST', '/api/device/approve', { userCode, workspaceId });
      return () => send('POST', '/api/device/deny', { userCode });
    },
  ],
  setNodePrivate: [
    ['privacy.set'],
    async () => () => send('PUT', at('node-private'), { path: 'mine', kind: 'folder', private: true }),
  ],
};

const ofFiles = 'changes files, which the feed and the history tell of';
const ofLooks = 'changes nothing of what people may do';

const leavingNothing: Partial<Record<RouteId, string>> = {
  writeFile: ofFiles,
  deleteFile: ofFiles,
  moveFile: `${ofFiles}; privacy and links go along as they are`,
  moveFolder: `${ofFiles}; privacy and links go along as they are`,
  resolveConflict: ofFiles,
  restoreFile: ofFiles,
  undoChanges: ofFiles,
  startThread: ofFiles,
  addReply: ofFiles,
  setResolved: ofFiles,
  setNodeIcon: ofLooks,
  setNodeOrder: ofLooks,
  updateWorkspace: ofLooks,
  uploadWorkspaceIcon: ofLooks,
  createDeviceCode: 'a device asks; no user has approved it yet',
  lookUpDevice: 'says what a device asks for',
};

test('every changing route leaves rows, or there is a reason why not', () => {
  const changing = Object.values(routes).filter(({ method }) => method !== 'GET');
  for (const { id, method } of changing) {
    if (method === ('HEAD' as string)) continue;
    const locations = [leaving, leavingNothing].filter((table) => Object.hasOwn(table, id));
    assert.equal(locations.length, 1, `${id} must be in one of the tables`);
  }
});

for (const [id, [actions, prepare]] of Object.entries(leaving)) {
  test(`${id} records ${actions.join(' and ')} with actor and address, or rolls back`, async () => {
    const request = await prepare();
    // The failed request changed nothing: the next one does the work and leaves the first rows.
    const failed = await withoutItsRow(request);
    assert.equal(failed.status, 500, await failed.text());
    const found = await left(request);
    assert.ok(found.response.ok, await found.response.text());
    assert.deepEqual(actionsOf(found.rows), actions);
    for (const row of found.rows) assert.match(row.actor_id ?? '', /^user_/);
    // Only a change leaves a row. A repeated request is rejected, or has no effect.
    if (id.startsWith('create')) return;
    assert.deepEqual(actionsOf((await left(request)).rows), []);
  });
}

test('a code that is denied before approval is recorded with what the device sent', async () => {
  const made = await fetch(`${server.url}/api/device/code`, {
    method: 'POST',
    headers: { 'user-agent': 'a-device/1.0' },
  });
  const { user_code: userCode } = await jsonOf<{ user_code: string }>(made);
  const deny = () => send('POST', '/api/device/deny', { userCode });
  const found = await left(deny);
  assert.ok(found.response.ok, await found.response.text());
  assert.deepEqual(actionsOf(found.rows), ['key.deny']);
  const ada = await idOf(server.cookie);
  const [row] = found.rows;
  assert.deepEqual([row?.actor_id, row?.person_id, row?.workspace_id], [ada, ada, null]);
  assert.deepEqual(JSON.parse(row?.details ?? ''), {
    deviceAddress: '127.0.0.1',
    deviceProgram: 'a-device/1.0',
  });
  assert.deepEqual(actionsOf((await left(deny)).rows), []);
});

test('every export is recorded, and a rejected one is not', async () => {
  await put('taken.md');
  const take = async () => {
    const response = await send('GET', at('export'));
    await response.clone().arrayBuffer();
    return response;
  };
  for (let time = 0; time < 2; time += 1) {
    const found = await left(take);
    assert.equal(found.response.status, 200);
    assert.deepEqual(actionsOf(found.rows), ['workspace.export']);
    const [row] = found.rows;
    assert.deepEqual([row?.workspace_id, row?.actor_id], [workspaceId, await idOf(server.cookie)]);
  }
  const { cookie } = await newMember('Gerd');
  const rejected = await left(() => send('GET', at('export'), undefined, cookie));
  assert.equal(rejected.response.status, 403);
  assert.deepEqual(rejected.rows, []);
});

test('a change made with a key is recorded with the key, also over MCP', async () => {
  const call = (name: string, args: object) =>
    server.call('/api/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
  await put('by-key.md');
  const overRest = await left(() =>
    server.call(at('shares'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'by-key.md', kind: 'file', access: 'member' }),
    }),
  );
  const overMcp = await left(() => call('create_share', { workspaceId, path: 'by-key.md', kind: 'file' }));
  for (const { response, rows: found } of [overRest, overMcp]) {
    assert.deepEqual(actionsOf(found), ['share.make'], await response.text());
    assert.equal(found[0]?.actor_label, 'Robot');
    assert.match(found[0]?.actor_key_id ?? '', /^key_/);
  }
});

test('an ordinary write leaves no row', async () => {
  assert.deepEqual((await left(() => put('plain.md'))).rows, []);
});

test('sign-ins, failed sign-ins, password changes and ended sessions are recorded', async () => {
  const email = 'frida@example.org';
  const signIn = (secret: string) => send('POST', '/api/auth/sign-in/email', { email, password: secret }, '');
  const made = await left(() =>
    send('POST', '/api/auth/sign-up/email', { name: 'Frida', email, password }, ''),
  );
  assert.deepEqual(actionsOf(made.rows), ['person.make', 'sign-in.accept']);
  const cookie = cookieOf(made.response);
  const frida = await idOf(cookie);
  for (const row of made.rows) assert.deepEqual([row.actor_id, row.person_id], [frida, frida]);

  const before = rows().length;
  assert.equal((await signIn('not the password')).status, 401);
  // The response does not wait for the row. The row is written before that of the next request.
  const found = await signIn(password);
  const [rejected, accepted] = rows().slice(before);
  assert.deepEqual(
    [rejected?.action, rejected?.actor_id, rejected?.person_id],
    ['sign-in.refuse', null, frida],
  );
  assert.deepEqual(JSON.parse(rejected?.details ?? ''), { via: 'password', reason: 'wrong_password' });
  assert.deepEqual([accepted?.action, accepted?.person_id], ['sign-in.accept', frida]);
  assert.deepEqual(JSON.parse(accepted?.details ?? ''), { via: 'password' });

  const second = cookieOf(found);
  const others = await left(() => send('POST', '/api/auth/revoke-other-sessions', {}, second));
  assert.deepEqual(actionsOf(others.rows), ['session.end']);
  assert.deepEqual(JSON.parse(others.rows[0]?.details ?? ''), { sessions: 1 });
  assert.equal(others.rows[0]?.actor_id, frida);
  const changed = await left(() =>
    send(
      'POST',
      '/api/auth/change-password',
      { currentPassword: password, newPassword: 'another password' },
      second,
    ),
  );
  assert.ok(changed.response.ok, await changed.response.clone().text());
  assert.deepEqual(actionsOf(changed.rows).toSorted(), ['password.change', 'session.end']);
  const third = cookieOf(changed.response);
  const out = await left(() => send('POST', '/api/auth/sign-out', {}, third));
  assert.deepEqual(actionsOf(out.rows), ['session.end']);
  assert.deepEqual([out.rows[0]?.actor_id, out.rows[0]?.person_id], [frida, frida]);
  assert.deepEqual((await left(() => send('POST', '/api/auth/sign-out', {}, third))).rows, []);
  const again = cookieOf(await signIn('another password'));
  const { rows: one } = await left(async () => {
    const listed = await send('GET', '/api/auth/list-sessions', undefined, again);
    const [session] = await jsonOf<readonly { token: string }[]>(listed);
    return send('POST', '/api/auth/revoke-session', { token: session?.token }, again);
  });
  assert.deepEqual(actionsOf(one), ['session.end']);
  const last = cookieOf(await signIn('another password'));
  const { rows: all } = await left(() => send('POST', '/api/auth/revoke-sessions', {}, last));
  assert.deepEqual(actionsOf(all), ['session.end']);
});

test('the log contains no secret and no hash of a secret', () => {
  const text = JSON.stringify(rows());
  assert.ok(secrets.length > 10);
  for (const secret of secrets) {
    assert.ok(secret.length >= 8 && !text.includes(secret), secret);
    assert.ok(!text.includes(hash('sha256', secret)), `the hash of ${secret}`);
  }
  assert.doesNotMatch(text, /session_token|stoa_[A-Za-z0-9]{20}/);
});

test('every sign-in endpoint is recorded, or changes no permission', () => {
  const reported = [
    'sign-up/email',
    'sign-in/email',
    'sign-out',
    'change-password',
    'revoke-session',
    'revoke-sessions',
    'revoke-other-sessions',
    // By operator commands and by the provider: tests of their own.
    'reset-password',
    'callback/oidc',
  ];
  const silent = [
    'get-session',
    'list-sessions',
    'sign-in-ways',
    // Starts the redirect to the provider. The row is written when the user returns.
    'sign-in/provider',
    'link-provider',
    // Name and picture.
    'update-user',
  ];
  assert.deepEqual(authEndpoints.map(({ path }) => path).toSorted(), [...reported, ...silent].toSorted());
});

test('every script that leaves no row has a reason', () => {
  const reasons: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries({
      'changes files, comments or looks': [
        'comments.add-reply',
        'comments.insert-thread',
        'comments.set-resolved',
        'conflicts.settle',
        'files.delete',
        'files.move',
        'files.move-folder',
        'files.move-folder-files',
        'files.restore',
        'files.write',
        'nodes.set-icon',
        'nodes.set-order',
        'undo.put',
        'workspaces.put-image',
        'workspaces.update',
      ],
      'keeps what is derived or counted': [
        'audit.forget',
        'feed.note-bookmark',
        'front-matter.keep',
        'keys.touch',
        'people.admitAttempt',
        'people.countAttempts',
        'scrub.note',
        'scrub.take',
        'shares.count-views',
      ],
      'gives no access': ['device.insert', 'device.lookUp', 'device.poll', 'device.sweep'],
      'belongs to a command that is recorded as a whole': [
        'checks.jump-feed',
        'checks.mend',
        'contents.mend',
        'contents.quarantine',
        'contents.release',
        'imports.begin',
        'imports.discard',
        'imports.insert-rows',
        'imports.keep-contents',
        'secrets.forget',
        'secrets.keep',
      ],
    }).flatMap(([reason, names]) => names.map((name) => [name, reason])),
  );
  const silent = scripts.filter(({ originOf }) => originOf === null).map(({ name }) => name);
  assert.deepEqual(silent.toSorted(), Object.keys(reasons).toSorted());
});
