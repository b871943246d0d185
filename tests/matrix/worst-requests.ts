import { type ExtendedToolId, extendedTools, type RouteId, routes } from '@stoa/contract';
import type { Request } from '../support/http-client.ts';
import { mcpPath } from '../support/mcp-client.ts';
import { routeSamples, targetIn } from './route-samples.ts';
import { pathOfTool, toolRequest } from './tool-request.ts';
import { toolSamples } from './tool-samples.ts';

/** Items of the account that sends the worst requests. */
export interface Hoard {
  readonly workspaceId: string;
  /** A file of many versions. */
  readonly versionsPath: string;
  /** Too large for the database. */
  readonly largePath: string;
  /** Text of many lines. */
  readonly linesPath: string;
  /** A thread at a large version of a markdown file. */
  readonly threadId: string;
  /** Paths of public links, to a folder, a large file, and a markdown file. */
  readonly folderLink: string;
  readonly largeLink: string;
  readonly textLink: string;
}

export interface WorstRequest {
  readonly method: string;
  readonly target: string;
  readonly request?: Request;
  readonly as: 'key' | 'session' | 'nobody';
}

/** The sample costs as much as any request of the route: a row, a write or an error. */
type Worst = 'as the sample' | ((hoard: Hoard) => { readonly target: string; readonly request?: Request });

const read = (operation: string, query: (hoard: Hoard) => Readonly<Record<string, string>> = () => ({})) => {
  return (hoard: Hoard) => ({
    target: `/api/workspaces/${hoard.workspaceId}/${operation}?${new URLSearchParams(query(hoard))}`,
  });
};
const post = (operation: string, json: unknown) => (hoard: Hoard) => ({
  target: `/api/workspaces/${hoard.workspaceId}/${operation}`,
  request: { json },
});

export const worstRequests: Readonly<Record<RouteId, Worst>> = {
  readHealth: 'as the sample',
  listPlans: 'as the sample',
  readOpenApi: 'as the sample',
  readSignUp: 'as the sample',
  readMe: 'as the sample',
  findOwnWorkspace: 'as the sample',
  listWorkspaces: 'as the sample',
  createWorkspace: 'as the sample',
  readWorkspace: 'as the sample',
  updateWorkspace: 'as the sample',
  uploadWorkspaceIcon: 'as the sample',
  readWorkspaceIcon: 'as the sample',
  downloadWorkspace: read('download'),
  exportWorkspace: read('export'),
  readUsage: read('usage'),
  listMembers: read('members'),
  removeMember: 'as the sample',
  changeRole: 'as the sample',
  readAudit: read('audit', () => ({ format: 'jsonl' })),
  listDepartedPrivate: 'as the sample',
  reclaimDepartedPrivate: 'as the sample',
  createInvite: 'as the sample',
  previewInvite: 'as the sample',
  acceptInvite: 'as the sample',
  listInvites: 'as the sample',
  revokeInvite: 'as the sample',
  createKey: 'as the sample',
  listKeys: 'as the sample',
  revokeKey: 'as the sample',
  createDeviceCode: 'as the sample',
  pollDevice: 'as the sample',
  lookUpDevice: 'as the sample',
  approveDevice: 'as the sample',
  denyDevice: 'as the sample',
  readFile: ({ workspaceId, largePath }) => ({ target: `/api/workspaces/${workspaceId}/files/${largePath}` }),
  headFile: ({ workspaceId, largePath }) => ({ target: `/api/workspaces/${workspaceId}/files/${largePath}` }),
  writeFile: ({ workspaceId }) => ({
    target: `/api/workspaces/${workspaceId}/files/written.txt`,
    request: { body: 'x'.repeat(500), headers: { 'if-match': '1' } },
  }),
  deleteFile: 'as the sample',
  listFiles: read('list', () => ({ details: '1' })),
  moveFile: 'as the sample',
  moveFolder: post('move-folder', { from: 'many', to: 'many2' }),
  resolveConflict: 'as the sample',
  setNodeIcon: 'as the sample',
  setNodePrivate: 'as the sample',
  setNodeOrder: post('node-order', { paths: Array.from({ length: 100 }, (_, at) => `many/f${at}.txt`) }),
  readVersion: read('version', ({ versionsPath }) => ({ path: versionsPath, version: '1' })),
  listVersions: read('versions', ({ versionsPath }) => ({ path: versionsPath })),
  blameFile: read('blame', ({ linesPath }) => ({ path: linesPath })),
  restoreFile: 'as the sample',
  undoChanges: post('undo', { actorKeyId: 'none', since: '2020-01-01T00:00:00Z', dryRun: true }),
  find: read('find', () => ({ q: 'a -nowhere OR f1 "f1 n"', limit: '100' })),
  searchFiles: read('search', () => ({ q: 'f1', limit: '200' })),
  searchContent: read('search-content', () => ({ q: 'nowhere' })),
  readChanges: read('changes', () => ({ sinceSeq: '0', limit: '1000', wait: '25' })),
  listComments: read('comments', () => ({ limit: '200' })),
  startThread: 'as the sample',
  addReply: 'as the sample',
  setResolved: 'as the sample',
  readPinnedContent: ({ workspaceId, threadId }) => ({
    target: `/api/workspaces/${workspaceId}/comments/${threadId}/pinned-content`,
  }),
  listShares: read('shares'),
  createShare: 'as the sample',
  updateShare: 'as the sample',
  revokeShare: 'as the sample',
};

type WorstArguments = 'as the sample' | ((hoard: Hoard) => Readonly<Record<string, unknown>>);

export const worstToolCalls: Readonly<Record<ExtendedToolId, WorstArguments>> = {
  listWorkspaces: 'as the sample',
  createWorkspace: 'as the sample',
  setWorkspace: 'as the sample',
  setWorkspaceImageIcon: 'as the sample',
  getUsage: 'as the sample',
  listFiles: () => ({ limit: 1000 }),
  searchFiles: () => ({ query: 'f1' }),
  readFile: ({ linesPath }) => ({ path: linesPath }),
  writeFile: 'as the sample',
  moveFile: 'as the sample',
  deleteFile: 'as the sample',
  setFileIcon: 'as the sample',
  setPrivate: 'as the sample',
  readFileVersion: ({ versionsPath }) => ({ path: versionsPath, version: 1 }),
  resolveConflict: 'as the sample',
  restoreFile: 'as the sample',
  createShare: 'as the sample',
  listShares: 'as the sample',
  revokeShare: 'as the sample',
  listComments: () => ({}),
  addComment: 'as the sample',
  replyComment: 'as the sample',
  resolveComment: 'as the sample',
  editFile: 'as the sample',
  appendFile: 'as the sample',
  readLines: ({ linesPath }) => ({ path: linesPath }),
  searchContent: () => ({ query: 'a -nowhere OR f1 "f1 n"', mode: 'words', limit: 200 }),
  catchUp: () => ({ since: '2020-01-01T00:00:00Z' }),
  answerComments: 'as the sample',
};

/** Requests outside the tables of routes and tools. */
const otherRequests: Readonly<Record<string, (hoard: Hoard) => WorstRequest>> = {
  'a batch of calls': ({ workspaceId }) => {
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: extendedTools.listFiles.name, arguments: { workspaceId, limit: 1000 } },
    });
    const headers = { accept: 'application/json, text/event-stream' };
    return {
      method: 'POST',
      target: mcpPath,
      as: 'key',
      request: { json: Array.from({ length: 5 }, (_, id) => call(id)), headers },
    };
  },
  'a held poll': ({ workspaceId }) => ({
    method: 'GET',
    target: `/api/workspaces/${workspaceId}/changes?sinceSeq=99999999&wait=25`,
    as: 'key',
  }),
  'the page of a folder link': ({ folderLink }) => anonymous(folderLink),
  'the page of a text link': ({ textLink }) => anonymous(textLink),
  'the bytes of a link': ({ largeLink }) => anonymous(`${largeLink}/content`),
  'a session without a cookie': () => anonymous('/api/auth/get-session'),
  'the web app': () => anonymous('/'),
  'the command line': () => anonymous('/download/stoa-cli.tgz'),
  'no route': () => anonymous('/api/none'),
  'no valid address': () => anonymous('/%ZZ'),
  'another host': () => ({ ...anonymous('/api/health'), request: { headers: { host: 'evil.example' } } }),
};

function anonymous(target: string): WorstRequest {
  return { method: 'GET', target, as: 'nobody' };
}

export function allWorstRequests(hoard: Hoard): readonly (WorstRequest & { readonly title: string })[] {
  const ofRoutes = Object.entries(worstRequests).map(([id, worst]) => {
    const { method, access } = routes[id as RouteId];
    const sample = routeSamples[id as RouteId];
    const asked =
      worst === 'as the sample' ? { ...sample, target: targetIn(sample, hoard.workspaceId) } : worst(hoard);
    const { target, request = {} } = asked;
    const isPersons = access === 'session' || access === 'keys' || access === 'workspace-session';
    return { title: id, method, target, request, as: isPersons ? ('session' as const) : ('key' as const) };
  });
  const ofTools = Object.entries(worstToolCalls).map(([id, worst]) => {
    const toolId = id as ExtendedToolId;
    const given = worst === 'as the sample' ? toolSamples[toolId].arguments : worst(hoard);
    const { name } = extendedTools[toolId];
    const request = toolRequest(name, { workspaceId: hoard.workspaceId, ...given });
    return {
      title: `the tool ${name}`,
      method: 'POST',
      target: pathOfTool(toolId),
      request,
      as: 'key' as const,
    };
  });
  const others = Object.entries(otherRequests).map(([title, of]) => ({ title, ...of(hoard) }));
  return [...ofRoutes, ...ofTools, ...others];
}
