import { type RouteId, routes } from '@stoa/contract';
import type { Request } from '../support/http-client.ts';

/**
 * A request of a route that changes nothing, even when it is let through: it names a missing item, or lacks a
 * parameter that the route needs. `{workspaceId}` stands for the workspace.
 */
export interface RouteSample {
  readonly target: string;
  readonly request?: Request;
  /** The response to an owner of the workspace: a status, and the text of an error. */
  readonly responds: readonly [status: number, says?: string];
}

const anyHash = 'a'.repeat(64);
const seen = { 'if-match': '1', 'x-service-if-content-hash': anyHash };
const ofWorkspace = '/api/workspaces/{workspaceId}';
const noFile = [404, 'File not found'] as const;
const noThread = [404, 'Comment thread not found'] as const;
const noShare = [404, 'Share link not found'] as const;
const noInvite = [404, 'Invite not found: ask for a new link'] as const;
const noMember = [404, 'This person is not a member of the workspace'] as const;
const noWorkspace = [404, 'Workspace not found'] as const;
const noCode = [404, 'invalid_grant'] as const;
const emptyBody = [
  400,
  'The request body is empty: send the complete bytes of the file, or X-Service-Allow-Empty: 1 for an empty file',
] as const;

const sample = (target: string, responded: RouteSample['responds'], request?: Request): RouteSample => ({
  target,
  responds: responded,
  ...(request === undefined ? {} : { request }),
});

export const routeSamples: Readonly<Record<RouteId, RouteSample>> = {
  readHealth: sample('/api/health', [200]),
  listPlans: sample('/api/plans', [200]),
  readOpenApi: sample('/api/openapi.json', [200]),
  readSignUp: sample('/api/sign-up', [200]),
  readMe: sample('/api/me', [200]),
  findOwnWorkspace: sample('/api/workspace', [200]),
  listWorkspaces: sample('/api/workspaces', [200]),
  createWorkspace: sample('/api/workspaces', [400, 'name: must be 1 to 100 characters'], {
    json: { name: '' },
  }),
  readWorkspace: sample(ofWorkspace, [200]),
  updateWorkspace: sample(ofWorkspace, [200], { json: {} }),
  uploadWorkspaceIcon: sample(`${ofWorkspace}/icon`, [
    400,
    'The request body is empty: send the bytes of an image',
  ]),
  readWorkspaceIcon: sample(`${ofWorkspace}/icon/${'0'.repeat(64)}`, [404, 'The workspace has no such icon']),
  downloadWorkspace: sample(`${ofWorkspace}/download`, [200]),
  exportWorkspace: sample(`${ofWorkspace}/export`, [200]),
  readUsage: sample(`${ofWorkspace}/usage`, [200]),
  listMembers: sample(`${ofWorkspace}/members`, [200]),
  removeMember: sample(`${ofWorkspace}/members/nobody`, noMember),
  changeRole: sample(`${ofWorkspace}/members/nobody`, noMember, { json: { role: 'admin' } }),
  readAudit: sample(`${ofWorkspace}/audit`, [200]),
  listDepartedPrivate: sample(`${ofWorkspace}/departed-private`, [200]),
  reclaimDepartedPrivate: sample(`${ofWorkspace}/departed-private/reclaim`, noFile, {
    json: { path: 'none.md' },
  }),
  createInvite: sample('/api/invites', noWorkspace, { json: { workspaceId: 'none' } }),
  previewInvite: sample('/api/invites/none', noInvite),
  acceptInvite: sample('/api/invites/none/accept', noInvite),
  listInvites: sample(`${ofWorkspace}/invites`, [200]),
  revokeInvite: sample(`${ofWorkspace}/invites/none`, noInvite),
  createKey: sample('/api/keys', noWorkspace, { json: { workspaceId: 'none' } }),
  listKeys: sample('/api/keys', [200]),
  revokeKey: sample('/api/keys/none', [404, 'API key not found among your own']),
  createDeviceCode: sample('/api/device/code', [200]),
  pollDevice: sample('/api/device/poll?device_code=none', noCode),
  lookUpDevice: sample('/api/device/lookup', noCode, { json: { userCode: 'BCDF-GHJK' } }),
  approveDevice: sample('/api/device/approve', noWorkspace, {
    json: { userCode: 'BCDF-GHJK', workspaceId: 'none' },
  }),
  denyDevice: sample('/api/device/deny', noCode, { json: { userCode: 'BCDF-GHJK' } }),
  readFile: sample(`${ofWorkspace}/files/none.md`, noFile),
  headFile: sample(`${ofWorkspace}/files/none.md`, [404]),
  writeFile: sample(`${ofWorkspace}/files/none.md`, emptyBody),
  deleteFile: sample(`${ofWorkspace}/files/none.md`, noFile, { headers: { 'if-match': '1' } }),
  listFiles: sample(`${ofWorkspace}/list`, [200]),
  moveFile: sample(`${ofWorkspace}/move`, noFile, { json: { from: 'none.md', to: 'there.md' } }),
  resolveConflict: sample(`${ofWorkspace}/resolve-conflict`, noFile, {
    json: { copy: 'none.md', keep: 'current' },
  }),
  moveFolder: sample(`${ofWorkspace}/move-folder`, [200], { json: { from: 'none', to: 'there' } }),
  setNodeIcon: sample(`${ofWorkspace}/node-icon`, noFile, { json: { path: 'none', icon: 'star' } }),
  setNodePrivate: sample(`${ofWorkspace}/node-private`, noFile, {
    json: { path: 'none.md', kind: 'file', private: true },
  }),
  setNodeOrder: sample(`${ofWorkspace}/node-order`, [200], { json: { paths: ['none.md'] } }),
  readVersion: sample(`${ofWorkspace}/version?path=none.md&version=1`, noFile),
  listVersions: sample(`${ofWorkspace}/versions?path=none.md`, noFile),
  blameFile: sample(`${ofWorkspace}/blame?path=none.md`, noFile),
  restoreFile: sample(`${ofWorkspace}/restore`, noFile, { json: { path: 'none.md', targetVersion: 1 } }),
  undoChanges: sample(`${ofWorkspace}/undo`, [200], {
    json: { actorKeyId: 'none', since: '2999-01-01T00:00:00Z' },
  }),
  find: sample(`${ofWorkspace}/find?q=none`, [200]),
  searchFiles: sample(`${ofWorkspace}/search?q=none`, [200]),
  searchContent: sample(`${ofWorkspace}/search-content?q=none`, [200]),
  readChanges: sample(`${ofWorkspace}/changes`, [200]),
  listComments: sample(`${ofWorkspace}/comments`, [200]),
  startThread: sample(`${ofWorkspace}/comments`, noFile, {
    json: { path: 'none.md', kind: 'range', quote: 'a', body: 'Why?' },
  }),
  addReply: sample(`${ofWorkspace}/comments/none/replies`, noThread, { json: { body: 'Because' } }),
  setResolved: sample(`${ofWorkspace}/comments/none/resolved`, noThread, { json: { resolved: true } }),
  readPinnedContent: sample(`${ofWorkspace}/comments/none/pinned-content`, noThread),
  listShares: sample(`${ofWorkspace}/shares?path=none.md`, noFile),
  createShare: sample(`${ofWorkspace}/shares`, noFile, {
    json: { path: 'none.md', kind: 'file', access: 'member' },
  }),
  updateShare: sample(`${ofWorkspace}/shares/none`, noShare, { json: { allowScripts: false } }),
  revokeShare: sample(`${ofWorkspace}/shares/none`, noShare),
};

/** The same routes with options that change the meaning of a write or a read. */
export const optionSamples: readonly (RouteSample & { readonly id: RouteId; readonly option: string })[] = [
  {
    id: 'writeFile',
    option: 'conflict=refuse',
    ...sample(`${ofWorkspace}/files/none.md?conflict=refuse`, emptyBody),
  },
  {
    id: 'writeFile',
    option: 'a content hash',
    ...sample(`${ofWorkspace}/files/none.md`, emptyBody, { headers: seen }),
  },
  {
    id: 'writeFile',
    option: 'an empty body allowed',
    ...sample(`${ofWorkspace}/files/none.md`, [400, 'X-Service-Allow-Empty takes only 1'], {
      headers: { 'x-service-allow-empty': 'yes' },
    }),
  },
  {
    id: 'deleteFile',
    option: 'a content hash',
    ...sample(`${ofWorkspace}/files/none.md`, noFile, { headers: seen }),
  },
  { id: 'readFile', option: 'preview', ...sample(`${ofWorkspace}/files/none.html?preview=1`, noFile) },
  { id: 'listShares', option: 'no path', ...sample(`${ofWorkspace}/shares`, [200]) },
  {
    id: 'readVersion',
    option: 'a content hash',
    ...sample(`${ofWorkspace}/version?path=none.md&version=1&contentHash=${anyHash}`, noFile),
  },
  {
    id: 'restoreFile',
    option: 'a content hash',
    ...sample(`${ofWorkspace}/restore`, noFile, {
      json: { path: 'none.md', targetVersion: 1, contentHash: anyHash },
    }),
  },
  {
    id: 'moveFile',
    option: 'a content hash',
    ...sample(`${ofWorkspace}/move`, noFile, {
      json: { from: 'none.md', to: 'there.md', baseVersion: 1, baseContentHash: anyHash },
    }),
  },
];

/** Every sample, with its own title. */
export const titledSamples: readonly (RouteSample & { readonly id: RouteId; readonly title: string })[] = [
  ...Object.keys(routes)
    .filter((id): id is RouteId => id in routes)
    .map((id) => ({ id, title: id, ...routeSamples[id] })),
  ...optionSamples.map((each) => ({ ...each, title: `${each.id} with ${each.option}` })),
];

/** The sample in a workspace. */
export function targetIn({ target }: RouteSample, workspaceId: string): string {
  return target.replace('{workspaceId}', workspaceId);
}
