import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, type StoaClient } from '@stoa/client';
import { parseRequest, type RouteDescriptor, type RouteId, routes } from '@stoa/contract';
import { playService, type ReceivedRequest } from './recorded-service.ts';

/** A call for each route. The answers are irrelevant here: what counts is what was asked. */
const calls: Readonly<Partial<Record<RouteId, (client: StoaClient) => Promise<unknown>>>> = {
  readHealth: (client) => client.health(),
  listPlans: (client) => client.plans(),
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
  removeMember: (client) => client.removeMember('ws_1', 'user_1'),
  changeRole: (client) => client.changeRole('ws_1', 'user_1', 'admin'),
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
  writeFile: (client) => client.writeFile('ws_1', 'a/b.md', 'x', { kind: 'absent' }),
  deleteFile: (client) => client.deleteFile('ws_1', 'a/b.md', 1),
  listFiles: (client) => client.list('ws_1', { prefix: 'a' }),
  moveFile: (client) => client.move('ws_1', { from: 'a', to: 'b', baseVersion: 1 }),
  moveFolder: (client) => client.moveFolder('ws_1', { from: 'a', to: 'b' }),
  setNodeIcon: (client) => client.setNodeIcon('ws_1', 'a', null),
  setNodePrivate: (client) => client.setNodePrivate('ws_1', { path: 'a', kind: 'folder', private: true }),
  setNodeOrder: (client) => client.setNodeOrder('ws_1', ['a', 'b']),
  readVersion: (client) => client.readVersion('ws_1', 'a/b.md', 2),
  listVersions: (client) => client.listVersions('ws_1', 'a/b.md'),
  restoreFile: (client) => client.restore('ws_1', { path: 'a/b.md', targetVersion: 1 }),
  searchFiles: (client) => client.search('ws_1', 'plan', { limit: 5 }),
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

test('the client can call every route but HEAD and the description of the interface', () => {
  assert.deepEqual(
    Object.keys(calls).toSorted(),
    Object.keys(routes)
      .filter((id) => id !== 'headFile' && id !== 'readOpenApi')
      .toSorted(),
  );
});

for (const [id, call] of Object.entries(calls)) {
  test(`${id} is asked as the contract says`, async () => {
    await using service = await playService({ status: 418, json: {} });
    await assert.rejects(call(createStoaClient(service)), /418/);
    const [request] = service.requests;
    assert(request !== undefined);
    assertFits(request, routes[id as RouteId]);
  });
}

test('activity is asked for by time', async () => {
  await using service = await playService({ status: 200, json: { changes: [], head: 0 } });
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
  if (route.query !== undefined) parseRequest(route.query, Object.fromEntries(searchParams), 'query');
  if (route.body !== undefined && route.body !== 'bytes') {
    assert.equal(request.headers['content-type'], 'application/json');
    parseRequest(route.body, JSON.parse(request.body), 'body');
  }
}
