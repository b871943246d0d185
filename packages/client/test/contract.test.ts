import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, type RouteInput, type StoaClient } from '@stoa/client';
import { parseRequest, type RouteDescriptor, type RouteId, routes } from '@stoa/contract';
import { type ReceivedRequest, startRecordedService } from './recorded-service.ts';

const params = { workspaceId: 'ws_1' };
const file = { params: { ...params, path: 'a b/c?.md' } };
const thread = { params: { ...params, threadId: 'thread_1' } };
const share = { params: { ...params, shareId: 'share_1' } };
const member = { params: { ...params, userId: 'user_1' } };

interface GivenParts {
  readonly params?: object;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A sample request for each route. A missing route is a type error. */
const inputs: { readonly [Id in RouteId]: RouteInput<(typeof routes)[Id]> } = {
  readHealth: {},
  listPlans: {},
  readSignUp: {},
  readMe: {},
  readOpenApi: {},
  findOwnWorkspace: {},
  listWorkspaces: {},
  createWorkspace: { body: { name: 'Team', color: 'rose' } },
  readWorkspace: { params },
  updateWorkspace: { params, body: { icon: null } },
  readUsage: { params },
  listMembers: { params },
  uploadWorkspaceIcon: { params, body: 'GIF89a' },
  readWorkspaceIcon: { params: { ...params, contentHash: 'a'.repeat(64) } },
  downloadWorkspace: { params },
  exportWorkspace: { params },
  removeMember: member,
  changeRole: { ...member, body: { role: 'admin' } },
  readAudit: { params, query: { kind: 'key', person: 'user_1', since: new Date(1234), limit: 5 } },
  listDepartedPrivate: { params, query: { after: 'a/b.md', limit: 5 } },
  reclaimDepartedPrivate: { params, body: { path: 'a/b.md', toUserId: 'user_1' } },
  createInvite: { body: { workspaceId: 'ws_1', maxUses: 3 } },
  previewInvite: { params: { token: 'token' } },
  acceptInvite: { params: { token: 'token' } },
  listInvites: { params },
  revokeInvite: { params: { ...params, inviteId: 'invite_1' } },
  listShares: { params, query: { path: 'a/b.md' } },
  createShare: { params, body: { path: 'a.md', kind: 'file', access: 'member' } },
  updateShare: { ...share, body: { allowScripts: false } },
  revokeShare: share,
  createKey: { body: { name: 'Claude', actorType: 'agent' } },
  listKeys: {},
  revokeKey: { params: { keyId: 'key_1' } },
  createDeviceCode: {},
  pollDevice: { query: { device_code: 'a secret & more' } },
  lookUpDevice: { body: { userCode: 'CDFG-9743' } },
  approveDevice: { body: { userCode: 'CDFG-9743', workspaceId: 'ws_1', actorType: 'agent' } },
  denyDevice: { body: { userCode: 'CDFG-9743' } },
  readFile: { ...file, query: { download: true }, headers: { Range: 'bytes=0-3' } },
  headFile: file,
  writeFile: {
    ...file,
    query: { conflict: 'refuse' },
    headers: { 'If-Match': '1', 'X-Service-If-Content-Hash': 'a'.repeat(64) },
    body: 'x',
  },
  deleteFile: { ...file, headers: { 'If-Match': '1', 'X-Service-If-Content-Hash': 'a'.repeat(64) } },
  listFiles: { params, query: { prefix: 'a', details: true } },
  moveFile: { params, body: { from: 'a', to: 'b', baseVersion: 1, baseContentHash: 'a'.repeat(64) } },
  moveFolder: { params, body: { from: 'a', to: 'b' } },
  resolveConflict: { params, body: { copy: 'a', keep: 'merge' } },
  setNodeIcon: { params, body: { path: 'a', icon: null } },
  setNodePrivate: { params, body: { path: 'a', kind: 'folder', private: true } },
  setNodeOrder: { params, body: { paths: ['a', 'b'] } },
  readVersion: { params, query: { path: 'a/b.md', version: 2, contentHash: 'a'.repeat(64) } },
  listVersions: { params, query: { path: 'a/b.md' } },
  blameFile: { params, query: { path: 'a/b.md' } },
  undoChanges: { params, body: { actorKeyId: 'key_1', since: '2026-11-20T14:00:00Z', dryRun: true } },
  restoreFile: { params, body: { path: 'a/b.md', targetVersion: 1, contentHash: 'a'.repeat(64) } },
  find: { params, query: { q: 'budget launch', limit: 5, cursor: '20' } },
  searchFiles: { params, query: { q: 'plan', limit: 5 } },
  searchContent: {
    params,
    query: { q: 'plan', path: 'notes/*.md', matchCase: true, context: 2, limit: 5, offset: 10 },
  },
  listComments: { params, query: { path: 'a/b.md', status: 'open', entriesLimit: 0, offset: 20 } },
  startThread: { params, body: { path: 'a/b.md', body: 'Why?', kind: 'range', quote: 'x' } },
  addReply: { ...thread, body: { body: 'Done', dedupeKey: 'k' } },
  setResolved: { ...thread, body: { resolved: true } },
  readPinnedContent: thread,
  readChanges: {
    params,
    query: { since: new Date(1234), order: 'desc', limit: 10, includeComments: true, wait: 30 },
  },
};

/** A method call for each route. Only the requests matter here, not the responses. */
const calls: Readonly<Partial<Record<RouteId, (client: StoaClient) => Promise<unknown>>>> = {
  readHealth: (client) => client.health(),
  listPlans: (client) => client.plans(),
  readSignUp: (client) => client.readSignUp(),
  readMe: (client) => client.me(),
  findOwnWorkspace: (client) => client.workspace(),
  listWorkspaces: (client) => client.listWorkspaces(),
  createWorkspace: (client) => client.createWorkspace({ name: 'Team', color: 'rose' }),
  readWorkspace: (client) => client.readWorkspace('ws_1'),
  updateWorkspace: (client) => client.updateWorkspace('ws_1', { icon: null }),
  readUsage: (client) => client.usage('ws_1'),
  listMembers: (client) => client.members('ws_1'),
  uploadWorkspaceIcon: (client) => client.uploadWorkspaceIcon('ws_1', 'GIF89a'),
  readWorkspaceIcon: (client) => client.readWorkspaceIcon('ws_1', 'a'.repeat(64)),
  downloadWorkspace: (client) => client.downloadWorkspace('ws_1'),
  exportWorkspace: (client) => client.exportWorkspace('ws_1'),
  removeMember: (client) => client.removeMember('ws_1', 'user_1'),
  changeRole: (client) => client.changeRole('ws_1', 'user_1', 'admin'),
  readAudit: (client) =>
    client.audit('ws_1', { kind: 'key', person: 'user_1', since: new Date(1234), limit: 5 }),
  listDepartedPrivate: (client) => client.listDepartedPrivate('ws_1', { after: 'a/b.md', limit: 5 }),
  reclaimDepartedPrivate: (client) => client.reclaimDepartedPrivate('ws_1', { path: 'a/b.md' }),
  createInvite: (client) => client.createInvite({ workspaceId: 'ws_1', maxUses: 3 }),
  previewInvite: (client) => client.previewInvite('token'),
  acceptInvite: (client) => client.acceptInvite('token'),
  listInvites: (client) => client.listInvites('ws_1'),
  revokeInvite: (client) => client.revokeInvite('ws_1', 'invite_1'),
  listShares: (client) => client.listShares('ws_1', 'a/b.md'),
  createShare: (client) => client.createShare('ws_1', { path: 'a.md', kind: 'file', access: 'member' }),
  updateShare: (client) => client.updateShare('ws_1', 'share_1', { allowScripts: false }),
  revokeShare: (client) => client.revokeShare('ws_1', 'share_1'),
  createKey: (client) => client.createKey({ actorType: 'agent' }),
  listKeys: (client) => client.listKeys(),
  revokeKey: (client) => client.revokeKey('key_1'),
  createDeviceCode: (client) => client.createDeviceCode(),
  pollDevice: (client) => client.pollDevice('a secret & more'),
  lookUpDevice: (client) => client.lookUpDevice('CDFG-9743'),
  approveDevice: (client) => client.approveDevice({ userCode: 'CDFG-9743', workspaceId: 'ws_1' }),
  denyDevice: (client) => client.denyDevice('CDFG-9743'),
  readFile: (client) => client.readFile('ws_1', 'a/b.md'),
  writeFile: (client) =>
    client.writeFile('ws_1', 'a/b.md', 'x', { kind: 'absent' }, { onConflict: 'refuse' }),
  deleteFile: (client) => client.deleteFile('ws_1', 'a/b.md', 1),
  listFiles: (client) => client.list('ws_1', { prefix: 'a', details: true }),
  moveFile: (client) => client.move('ws_1', { from: 'a', to: 'b', baseVersion: 1 }),
  moveFolder: (client) => client.moveFolder('ws_1', { from: 'a', to: 'b' }),
  resolveConflict: (client) => client.resolveConflict('ws_1', { copy: 'a', keep: 'merge' }),
  setNodeIcon: (client) => client.setNodeIcon('ws_1', 'a', null),
  setNodePrivate: (client) => client.setNodePrivate('ws_1', { path: 'a', kind: 'folder', private: true }),
  setNodeOrder: (client) => client.setNodeOrder('ws_1', ['a', 'b']),
  readVersion: (client) => client.readVersion('ws_1', 'a/b.md', 2, { contentHash: 'a'.repeat(64) }),
  listVersions: (client) => client.listVersions('ws_1', 'a/b.md'),
  blameFile: (client) => client.blame('ws_1', 'a/b.md'),
  undoChanges: (client) =>
    client.undo('ws_1', { actorKeyId: 'key_1', since: '2026-11-20T14:00:00Z', dryRun: true }),
  restoreFile: (client) => client.restore('ws_1', { path: 'a/b.md', targetVersion: 1 }),
  find: (client) => client.find('ws_1', 'budget launch', { limit: 5 }),
  searchFiles: (client) => client.search('ws_1', 'plan', { limit: 5 }),
  searchContent: (client) => client.searchContent('ws_1', 'plan', { path: 'notes', context: 2 }),
  listComments: (client) =>
    client.listComments('ws_1', {
      path: 'a/b.md',
      status: 'open',
      anchorStatus: 'outdated',
      entriesLimit: 0,
    }),
  startThread: (client) =>
    client.startThread('ws_1', { path: 'a/b.md', body: 'Why?', kind: 'range', quote: 'x', occurrence: 2 }),
  addReply: (client) => client.reply('ws_1', 'thread_1', { body: 'Done', dedupeKey: 'k' }),
  setResolved: (client) => client.setResolved('ws_1', 'thread_1', true),
  readPinnedContent: (client) => client.readPinnedContent('ws_1', 'thread_1'),
  readChanges: (client) =>
    client.readChanges('ws_1', { sinceSeq: 0, limit: 10, includeComments: true, waitSeconds: 30 }),
};

for (const [id, input] of Object.entries(inputs)) {
  test(`${id} can be called, and the service reads its input`, async () => {
    await using service = await startRecordedService({ status: 418, json: {} });
    const route: RouteDescriptor = routes[id as RouteId];
    // The types above check each input against its own route.
    const call = createStoaClient(service).call as (of: RouteDescriptor, given: object) => Promise<unknown>;
    await assert.rejects(call(route, input), /418/);
    const [request] = service.requests;
    assert(request !== undefined);
    assertFits(request, route);
    const { query = {}, headers = {} }: GivenParts = input;
    assert.partialDeepStrictEqual(queryOf(request, route), query);
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(request.headers[name.toLowerCase()], value);
    }
  });
}

test('every route has a method, except HEAD and the description of the interface', () => {
  assert.deepEqual(
    Object.keys(calls).toSorted(),
    Object.keys(routes)
      .filter((id) => id !== 'headFile' && id !== 'readOpenApi')
      .toSorted(),
  );
});

for (const [id, call] of Object.entries(calls)) {
  test(`${id} is requested as the contract defines`, async () => {
    await using service = await startRecordedService({ status: 418, json: {} });
    await assert.rejects(call(createStoaClient(service)), /418/);
    const [request] = service.requests;
    assert(request !== undefined);
    assertFits(request, routes[id as RouteId]);
  });
}

test('types require the parts of a route, and a missing name is rejected before the request', async () => {
  await using service = await startRecordedService();
  const { call } = createStoaClient(service);
  // @ts-expect-error: the path parameter is missing
  await assert.rejects(call(routes.readUsage, {}), /readUsage needs workspaceId/);
  await assert.rejects(call(routes.readUsage, { params: { workspaceId: '' } }), /needs workspaceId/);
  const unasked = [
    // @ts-expect-error: the query is required
    () => call(routes.readVersion, { params }),
    // @ts-expect-error: the body is required
    () => call(routes.moveFile, { params }),
    // @ts-expect-error: a version is a number
    () => call(routes.readVersion, { params, query: { path: 'a', version: '2' } }),
    // @ts-expect-error: the route has no such header
    () => call(routes.deleteFile, { ...file, headers: { 'If-Then': '1' } }),
  ];
  assert.equal(unasked.length, 4);
  assert.equal(service.requests.length, 0);
});

test('activity is requested by time', async () => {
  await using service = await startRecordedService({ status: 200, json: { changes: [], head: 0 } });
  await createStoaClient(service).readChangesSince('ws_1', { since: new Date(0), newestFirst: true });
  const [request] = service.requests;
  assert(request !== undefined);
  assertFits(request, routes.readChanges);
  assert.match(request.target, /since=1970-01-01T00%3A00%3A00.000Z&order=desc/);
});

function assertFits(request: ReceivedRequest, route: RouteDescriptor): void {
  const { pathname, searchParams } = new URL(request.target, 'http://service');
  const pattern = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === route.restOfPath ? '.+' : '[^/]+',
  );
  assert.equal(request.method, route.method);
  assert.match(pathname, new RegExp(`^${pattern}$`));
  for (const name of searchParams.keys())
    assert(route.query !== undefined && name in route.query.shape, name);
  queryOf(request, route);
  if (route.body !== undefined && route.body !== 'bytes') {
    assert.equal(request.headers['content-type'], 'application/json');
    parseRequest(route.body, JSON.parse(request.body), 'body');
  }
}

/** Returns the query as a handler receives it. */
function queryOf(request: ReceivedRequest, route: RouteDescriptor): object {
  const { searchParams } = new URL(request.target, 'http://service');
  return route.query === undefined
    ? {}
    : parseRequest(route.query, Object.fromEntries(searchParams), 'query');
}
