import type { RouteId } from '@stoa/contract';
import { sha256 } from '../support/expect.ts';
import type { Request } from '../support/http-client.ts';
import { encodePath } from '../support/workspace-client.ts';
import type { HiddenThing } from './hidden-situations.ts';

/** A request by a caller who must not learn of the hidden item. */
export interface Probe {
  readonly method: string;
  /** Relative to the workspace's address. */
  readonly target: string;
  readonly request?: Request;
  /**
   * Set where the interface itself distinguishes the hidden item from a missing one, with the reason. The
   * response must then be the error for a missing file, whatever a missing item returns.
   */
  readonly distinguished?: string;
}

/** The probes of a route, or the reason why it has none: it names nothing in a workspace. */
export type ProbeRow =
  | { readonly kind: 'asks'; readonly probes: (thing: HiddenThing) => readonly Probe[] }
  | { readonly kind: 'names_nothing'; readonly why: string };

const asks = (probes: (thing: HiddenThing) => readonly Probe[]): ProbeRow => ({ kind: 'asks', probes });
const namesNothing = (why: string): ProbeRow => ({ kind: 'names_nothing', why });

const writeSays = 'a write to another member’s private item is 404, and an absent path takes a write';
const moveSays = 'a move onto another member’s private item is 404, and an absent path takes a file';
const privateSays = 'a member cannot make another member’s private item private: 404';
const usageSays = 'private files count in the usage of the workspace';

const anyHash = 'a'.repeat(64);
const file = (path: string) => `/files/${encodePath(path)}`;
const get = (target: string, headers: Record<string, string> = {}): Probe => ({
  method: 'GET',
  target,
  request: { headers },
});
const query = (operation: string, parameters: Readonly<Record<string, string>>) =>
  get(`/${operation}?${new URLSearchParams(parameters)}`);
const send = (method: string, target: string, json: unknown, distinguished?: string): Probe => ({
  method,
  target,
  request: { json },
  ...(distinguished === undefined ? {} : { distinguished }),
});
const put = (path: string, body: string, headers: Record<string, string> = {}): Probe => ({
  method: 'PUT',
  target: file(path),
  request: { body, headers },
  distinguished: writeSays,
});
/** The hidden paths: the file, and the folder where that is private. */
const hiddenPaths = ({ path, folder }: HiddenThing) => (folder === null ? [path] : [path, folder]);
const byThread = (thing: HiddenThing, probes: (threadId: string) => readonly Probe[]) =>
  thing.threadId === null ? [] : probes(thing.threadId);
const byShare = (thing: HiddenThing, probes: (shareId: string) => readonly Probe[]) =>
  thing.shareId === null ? [] : probes(thing.shareId);

/** Every route of the table, in the order of the requests. */
export const privacyProbes: Readonly<Record<RouteId, ProbeRow>> = {
  readFile: asks((thing) =>
    hiddenPaths(thing).flatMap((path) => [
      get(file(path)),
      get(`${file(path)}?download=1`),
      get(`${file(path)}?preview=1`),
      get(file(path), { 'if-none-match': '"2"' }),
      get(file(path), { range: 'bytes=0-3' }),
    ]),
  ),
  headFile: asks((thing) => hiddenPaths(thing).map((path) => ({ method: 'HEAD', target: file(path) }))),
  listFiles: asks((thing) => [
    get('/list'),
    get('/list?details=1'),
    ...[thing.cell, ...hiddenPaths(thing)].flatMap((prefix) => [
      query('list', { prefix }),
      query('list', { prefix, details: '1' }),
    ]),
  ]),
  readVersion: asks((thing) =>
    [...hiddenPaths(thing), ...formerPaths(thing)].flatMap((path) => [
      ...['1', '2', '9'].map((version) => query('version', { path, version })),
      ...heldBy(thing).map((held) => query('version', { path, ...held })),
    ]),
  ),
  listVersions: asks((thing) =>
    [...hiddenPaths(thing), ...formerPaths(thing)].map((path) => query('versions', { path })),
  ),
  blameFile: asks((thing) =>
    [...hiddenPaths(thing), ...formerPaths(thing)].map((path) => query('blame', { path })),
  ),
  // tests/conformance/undo.test.ts covers its responses to owners and to keys of the actor.
  undoChanges: asks((thing) => [
    send('POST', '/undo', { actorKeyId: 'none', since: '2000-01-01T00:00:00Z', dryRun: true }),
    ...hiddenPaths(thing).map((path) =>
      send('POST', '/undo', { actorKeyId: 'none', since: '2000-01-01T00:00:00Z', path, dryRun: true }),
    ),
  ]),
  searchFiles: asks(({ nameCanary, cell }) =>
    [nameCanary, nameCanary.slice(0, 6), 'x.md', 'md', cell].flatMap((q) => [
      query('search', { q }),
      query('search', { q, limit: '1' }),
    ]),
  ),
  find: asks(({ nameCanary, cell, path }) =>
    [
      nameCanary,
      'canary',
      'second',
      'e',
      `in:${cell}`,
      `"${path}"`,
      '-nowhere',
      'type:md',
      'by:people',
    ].flatMap((q) => [
      query('find', { q }),
      query('find', { q, limit: '1' }),
      query('find', { q, limit: '1', cursor: '1' }),
    ]),
  ),
  searchContent: asks(({ nameCanary, cell, path }) =>
    [nameCanary, 'canary', 'second', 'e', '#'].flatMap((q) => [
      query('search-content', { q }),
      query('search-content', { q, limit: '1', context: '5' }),
      query('search-content', { q, path: cell }),
      query('search-content', { q, path }),
      query('search-content', { q, path: `${cell}/**` }),
    ]),
  ),
  readChanges: asks(() => [
    query('changes', { sinceSeq: '0', limit: '1000' }),
    query('changes', { sinceSeq: '0', limit: '1000', includeComments: '1' }),
    query('changes', { since: '2000-01-01T00:00:00Z', limit: '1000', includeComments: '1' }),
    query('changes', { since: '2000-01-01T00:00:00Z', limit: '1000', order: 'desc' }),
    query('changes', { limit: '0' }),
  ]),
  listComments: asks((thing) => [
    get('/comments'),
    query('comments', { limit: '1', entriesLimit: '1' }),
    query('comments', { status: 'open' }),
    query('comments', { anchorStatus: 'anchored' }),
    query('comments', { anchorStatus: 'outdated' }),
    ...hiddenPaths(thing).map((path) => query('comments', { path })),
    ...byThread(thing, (threadId) => [query('comments', { threadId })]),
  ]),
  readPinnedContent: asks((thing) =>
    byThread(thing, (threadId) => [get(`/comments/${threadId}/pinned-content`)]),
  ),
  listShares: asks((thing) => [
    get('/shares'),
    ...[...hiddenPaths(thing), thing.cell].map((path) => query('shares', { path })),
  ]),
  readWorkspace: asks(() => [get('')]),
  listMembers: asks(() => [get('/members')]),
  listInvites: asks(() => [get('/invites')]),
  readWorkspaceIcon: asks(() => [get(`/icon/${'0'.repeat(64)}`)]),
  downloadWorkspace: asks(() => [get('/download')]),
  readUsage: asks(() => [{ ...get('/usage'), distinguished: usageSays }]),

  deleteFile: asks((thing) =>
    hiddenPaths(thing).flatMap((path) => [
      { method: 'DELETE', target: file(path) },
      { method: 'DELETE', target: file(path), request: { headers: { 'if-match': '2' } } },
      {
        method: 'DELETE',
        target: file(path),
        request: { headers: { 'if-match': '2', 'x-service-if-content-hash': anyHash } },
      },
    ]),
  ),
  restoreFile: asks((thing) =>
    hiddenPaths(thing).flatMap((path) => [
      ...[1, 9].map((targetVersion) => send('POST', '/restore', { path, targetVersion })),
      ...heldBy(thing).map(({ version, contentHash }) =>
        send('POST', '/restore', { path, targetVersion: Number(version), contentHash }),
      ),
    ]),
  ),
  writeFile: asks((thing) => [
    ...obstacles(thing).map((path) => put(path, 'mine now')),
    ...hiddenPaths(thing).flatMap((path) => [
      put(path, 'mine now'),
      put(path, ''),
      put(path, '', { 'x-service-allow-empty': '1' }),
      put(path, 'mine now', { 'if-match': '1' }),
      put(path, 'mine now', { 'if-none-match': '*' }),
      put(path, 'mine now', { 'if-match': '1', 'x-service-if-content-hash': anyHash }),
      { ...put(path, 'mine now', { 'if-match': '1' }), target: `${file(path)}?conflict=refuse` },
      put(`${path}/below`, 'mine now'),
    ]),
  ]),
  moveFile: asks((thing) => [
    ...obstacles(thing).map((to) => send('POST', '/move', { from: `${thing.cell}/seen.md`, to }, moveSays)),
    ...hiddenPaths(thing).flatMap((path) => [
      send('POST', '/move', { from: path, to: `${thing.cell}/taken.md` }),
      send('POST', '/move', { from: path, to: `${thing.cell}/taken.md`, baseVersion: 1 }),
      send('POST', '/move', {
        from: path,
        to: `${thing.cell}/taken.md`,
        baseVersion: 1,
        baseContentHash: anyHash,
      }),
      send('POST', '/move', { from: path, to: path }),
      send('POST', '/move', { from: `${thing.cell}/seen.md`, to: path }, moveSays),
      send('POST', '/move', { from: `${thing.cell}/seen.md`, to: `${path}/below` }, moveSays),
    ]),
  ]),
  resolveConflict: asks((thing) =>
    [...hiddenPaths(thing), ...formerPaths(thing)].flatMap((copy) =>
      ['merge', 'current', 'copy'].map((keep) => send('POST', '/resolve-conflict', { copy, keep })),
    ),
  ),
  moveFolder: asks((thing) => [
    ...hiddenPaths(thing).flatMap((path) => [
      send('POST', '/move-folder', { from: path, to: `${thing.cell}/elsewhere` }),
      send('POST', '/move-folder', { from: `${thing.cell}/nothing`, to: path }),
    ]),
    send('POST', '/move-folder', { from: thing.cell, to: `${thing.cell}-carried` }),
  ]),
  setNodeIcon: asks((thing) =>
    hiddenPaths(thing).flatMap((path) =>
      ['star', ''].map((icon) => send('PUT', '/node-icon', { path, icon })),
    ),
  ),
  setNodeOrder: asks((thing) => [
    send('PUT', '/node-order', { paths: [...hiddenPaths(thing), `${thing.cell}/seen.md`] }),
  ]),
  setNodePrivate: asks((thing) => [
    ...[true, false].flatMap((isPrivate) => [
      send('PUT', '/node-private', { path: thing.path, kind: 'file', private: isPrivate }),
      ...hiddenPaths(thing).map((path) =>
        send(
          'PUT',
          '/node-private',
          { path, kind: 'folder', private: isPrivate },
          isPrivate ? privateSays : undefined,
        ),
      ),
    ]),
    ...[true, false].map((isPrivate) =>
      send('PUT', '/node-private', { path: thing.cell, kind: 'folder', private: isPrivate }),
    ),
  ]),
  createShare: asks((thing) => [
    ...hiddenPaths(thing).flatMap((path) =>
      ['file', 'folder'].map((kind) => send('POST', '/shares', { path, kind, access: 'member' })),
    ),
    send('POST', '/shares', { path: thing.path, kind: 'file', access: 'member', pinnedVersion: 1 }),
    send('POST', '/shares', { path: thing.cell, kind: 'folder', access: 'member' }),
  ]),
  updateShare: asks((thing) =>
    byShare(thing, (shareId) => [send('PATCH', `/shares/${shareId}`, { allowScripts: false })]),
  ),
  revokeShare: asks((thing) =>
    byShare(thing, (shareId) => [{ method: 'DELETE', target: `/shares/${shareId}` }]),
  ),
  startThread: asks((thing) =>
    hiddenPaths(thing).flatMap((path) => [
      send('POST', '/comments', { path, kind: 'range', quote: 'second', body: 'What is it?' }),
      send('POST', '/comments', { path, kind: 'range', quote: 'e', body: 'What is it?', baseVersion: 1 }),
    ]),
  ),
  addReply: asks((thing) =>
    byThread(thing, (threadId) => [
      send('POST', `/comments/${threadId}/replies`, { body: 'I see you', dedupeKey: 'one' }),
    ]),
  ),
  setResolved: asks((thing) =>
    byThread(thing, (threadId) =>
      [true, false].map((resolved) => send('PUT', `/comments/${threadId}/resolved`, { resolved })),
    ),
  ),
  updateWorkspace: asks(() => [send('PATCH', '', { color: 'amber' })]),
  uploadWorkspaceIcon: asks(() => [
    { method: 'POST', target: '/icon', request: { body: new Uint8Array([1]) } },
  ]),
  removeMember: asks(() => [{ method: 'DELETE', target: '/members/nobody' }]),
  changeRole: asks(() => [send('PATCH', '/members/nobody', { role: 'admin' })]),
  revokeInvite: asks(() => [{ method: 'DELETE', target: '/invites/none' }]),
  readAudit: asks(() => [
    get('/audit'),
    query('audit', { kind: 'privacy' }),
    query('audit', { format: 'jsonl' }),
  ]),
  listDepartedPrivate: asks((thing) => [
    get('/departed-private'),
    ...hiddenPaths(thing).map((after) => query('departed-private', { after, limit: '1' })),
  ]),
  exportWorkspace: asks(() => [get('/export')]),
  reclaimDepartedPrivate: asks((thing) =>
    hiddenPaths(thing).map((path) => send('POST', '/departed-private/reclaim', { path })),
  ),

  readHealth: namesNothing('says that the service runs'),
  listPlans: namesNothing('says what the operator offers'),
  readOpenApi: namesNothing('describes the interface'),
  readSignUp: namesNothing('says who may sign up'),
  readMe: namesNothing('is about the caller'),
  findOwnWorkspace: namesNothing('names one of the caller’s workspaces and nothing in it'),
  listWorkspaces: namesNothing('names the caller’s workspaces and nothing in them'),
  createWorkspace: namesNothing('makes another workspace'),
  createInvite: namesNothing('names a workspace and nothing in it'),
  previewInvite: namesNothing('names a workspace and nothing in it'),
  acceptInvite: namesNothing('names a workspace and nothing in it'),
  createKey: namesNothing('is about the caller’s keys'),
  listKeys: namesNothing('is about the caller’s keys'),
  revokeKey: namesNothing('is about the caller’s keys'),
  createDeviceCode: namesNothing('is about a device'),
  pollDevice: namesNothing('is about a device'),
  lookUpDevice: namesNothing('is about a device'),
  approveDevice: namesNothing('is about a device'),
  denyDevice: namesNothing('is about a device'),
};

function obstacles({ obstacle }: HiddenThing): readonly string[] {
  return obstacle === null ? [] : [obstacle];
}

/** The possible versions of the hidden file. */
function heldBy({ contentCanary }: HiddenThing) {
  return [`first ${contentCanary}`, `second ${contentCanary}`, 'seen by all'].flatMap((text) =>
    ['1', '2'].map((version) => ({ version, contentHash: sha256(text) })),
  );
}

function formerPaths({ formerPath }: HiddenThing): readonly string[] {
  return formerPath === null ? [] : [formerPath];
}
