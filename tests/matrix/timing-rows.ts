import type { ExtendedToolId, RouteId } from '@stoa/contract';
import type { Request } from '../support/http-client.ts';
import { encodePath } from '../support/workspace-client.ts';
import type { ToolArguments } from './tool-samples.ts';

/** The names of one set of things: of what is hidden, or of nothing. Both sets have names of the same length. */
export interface Names {
  /** In the names of many files. */
  readonly word: string;
  /** In the text of many files. */
  readonly text: string;
  /** A folder with many files, hidden as a whole. */
  readonly folder: string;
  /** Many of its files are hidden one by one, and no other is in it. */
  readonly folderOfFiles: string;
  /** In `folder`, with many versions, threads and links. */
  readonly file: string;
  readonly threadId: string;
  readonly shareId: string;
}

export interface Asked {
  readonly method: string;
  /** Below the workspace's address. */
  readonly target: string;
  readonly request?: Request;
}

type Ask<Question> = (names: Names) => readonly Question[];

interface Compares<Question> {
  readonly kind: 'compares';
  /** Asked once with the names of what is hidden and once with names of nothing: both must take equally long. */
  readonly ask: Ask<Question>;
}

export type Row<Question> =
  | Compares<Question>
  /**
   * It counts or pages, and no parameter names a content, a path or an id. Its time may grow with the amount of what is
   * hidden: a caller learns how much there is, as from the gaps in the feed's numbers, and not what.
   */
  | { readonly kind: 'amounts' }
  /** It neither searches, counts nor pages by what a caller names in a workspace. */
  | { readonly kind: 'none' }
  /** The interface itself tells a hidden path from an absent one here: see the row in the privacy matrix. */
  | { readonly kind: 'told_apart' };

const compares = <Question>(ask: Ask<Question>): Compares<Question> => ({ kind: 'compares', ask });
const calls = compares<ToolArguments>;
const asks = compares<Asked>;
const amounts = { kind: 'amounts' } as const;
const none = { kind: 'none' } as const;
const distinguished = { kind: 'told_apart' } as const;

const since = '2000-01-01T00:00:00Z';
const file = (path: string) => `/files/${encodePath(path)}`;
const get = (target: string): Asked => ({ method: 'GET', target });
const query = (operation: string, parameters: Readonly<Record<string, string>>) =>
  get(`/${operation}?${new URLSearchParams(parameters)}`);
const send = (method: string, target: string, json: unknown): Asked => ({
  method,
  target,
  request: { json },
});

const setIcon = (path: string) => send('PUT', '/node-icon', { path, icon: 'star' });
const shareFolder = (path: string) => send('POST', '/shares', { path, kind: 'folder', access: 'member' });

export const timingRows: Readonly<Record<RouteId, Row<Asked>>> = {
  listFiles: asks(({ folder, folderOfFiles, file }) => [
    query('list', { prefix: folder }),
    query('list', { prefix: folder, details: '1' }),
    query('list', { prefix: folderOfFiles }),
    query('list', { prefix: folderOfFiles, details: '1' }),
    query('list', { prefix: file }),
  ]),
  searchFiles: asks(({ word }) => [query('search', { q: word }), query('search', { q: word, limit: '1' })]),
  searchContent: asks(({ text, folder }) => [
    query('search-content', { q: text }),
    query('search-content', { q: 'nowhere', path: folder }),
  ]),
  find: asks(({ text, word, folder }) => [
    query('find', { q: text }),
    query('find', { q: word }),
    query('find', { q: `"${text}"` }),
    query('find', { q: `in:${folder}` }),
  ]),
  readFile: asks(({ file: path, folder }) => [get(file(path)), get(file(folder))]),
  headFile: asks(({ file: path }) => [{ method: 'HEAD', target: file(path) }]),
  readVersion: asks(({ file }) => [query('version', { path: file, version: '1' })]),
  listVersions: asks(({ file }) => [query('versions', { path: file })]),
  blameFile: asks(({ file }) => [query('blame', { path: file })]),
  undoChanges: asks(({ file, folder }) =>
    [file, folder].map((path) => send('POST', '/undo', { actorKeyId: 'none', since, path, dryRun: true })),
  ),
  listComments: asks(({ file, threadId }) => [
    query('comments', { path: file }),
    query('comments', { threadId }),
  ]),
  readPinnedContent: asks(({ threadId }) => [get(`/comments/${threadId}/pinned-content`)]),
  listShares: asks(({ file, folder, folderOfFiles }) =>
    [file, folder, folderOfFiles].map((path) => query('shares', { path })),
  ),
  listDepartedPrivate: asks(({ file }) => [query('departed-private', { after: file })]),

  // Changes look up a path or an id first, and are rejected.
  deleteFile: asks(({ file: path }) => [
    { method: 'DELETE', target: file(path), request: { headers: { 'if-match': '1' } } },
  ]),
  moveFile: asks(({ file }) => [send('POST', '/move', { from: file, to: 'free.md' })]),
  moveFolder: asks(({ folder, folderOfFiles }) =>
    [folder, folderOfFiles].map((from) => send('POST', '/move-folder', { from, to: 'free' })),
  ),
  resolveConflict: asks(({ file }) => [send('POST', '/resolve-conflict', { copy: file, keep: 'current' })]),
  restoreFile: asks(({ file }) => [send('POST', '/restore', { path: file, targetVersion: 1 })]),
  setNodeIcon: asks(({ file, folder, folderOfFiles }) => [file, folder, folderOfFiles].map(setIcon)),
  setNodeOrder: asks(({ file }) => [send('PUT', '/node-order', { paths: [file] })]),
  setNodePrivate: asks(({ file }) => [
    send('PUT', '/node-private', { path: file, kind: 'file', private: false }),
  ]),
  createShare: asks(({ file, folder, folderOfFiles }) => [
    send('POST', '/shares', { path: file, kind: 'file', access: 'member' }),
    ...[folder, folderOfFiles].map(shareFolder),
  ]),
  updateShare: asks(({ shareId }) => [send('PATCH', `/shares/${shareId}`, { allowScripts: false })]),
  revokeShare: asks(({ shareId }) => [{ method: 'DELETE', target: `/shares/${shareId}` }]),
  startThread: asks(({ file }) => [
    send('POST', '/comments', { path: file, kind: 'range', quote: 'e', body: 'Why?' }),
  ]),
  addReply: asks(({ threadId }) => [send('POST', `/comments/${threadId}/replies`, { body: 'So' })]),
  setResolved: asks(({ threadId }) => [send('PUT', `/comments/${threadId}/resolved`, { resolved: true })]),
  reclaimDepartedPrivate: asks(({ file }) => [send('POST', '/departed-private/reclaim', { path: file })]),
  writeFile: distinguished,

  readChanges: amounts,
  readUsage: amounts,
  downloadWorkspace: amounts,
  exportWorkspace: amounts,
  readAudit: amounts,
  listMembers: amounts,
  listInvites: amounts,

  readWorkspace: none,
  readWorkspaceIcon: none,
  updateWorkspace: none,
  uploadWorkspaceIcon: none,
  removeMember: none,
  changeRole: none,
  revokeInvite: none,
  readHealth: none,
  listPlans: none,
  readOpenApi: none,
  readSignUp: none,
  readMe: none,
  findOwnWorkspace: none,
  listWorkspaces: none,
  createWorkspace: none,
  createInvite: none,
  previewInvite: none,
  acceptInvite: none,
  createKey: none,
  listKeys: none,
  revokeKey: none,
  createDeviceCode: none,
  pollDevice: none,
  lookUpDevice: none,
  approveDevice: none,
  denyDevice: none,
};

export const timingToolRows: Readonly<Record<ExtendedToolId, Row<ToolArguments>>> = {
  listFiles: calls(({ folder, folderOfFiles }) => [
    { prefix: folder },
    { prefix: folder, depth: 2 },
    { prefix: folderOfFiles },
  ]),
  searchFiles: calls(({ word, folder }) => [{ query: word }, { query: `${folder}/*` }]),
  searchContent: calls(({ text, folder }) => [
    { query: text },
    { query: text, mode: 'words' },
    { query: `"${text}"`, mode: 'words' },
    { query: 'e', mode: 'words', path: folder },
  ]),
  catchUp: calls(({ folder }) => [{ since: '7d', path: folder }]),
  listComments: calls(({ file, threadId }) => [{ path: file }, { threadId }]),
  listShares: calls(({ file, folder }) => [{ path: file }, { path: folder }]),
  readFile: calls(({ file, folder }) => [{ path: file }, { path: folder }]),
  readLines: calls(({ file }) => [{ path: file, blame: true }]),
  readFileVersion: calls(({ file }) => [{ path: file, version: 1 }]),

  // Changes look up a path or an id first, and are rejected.
  editFile: calls(({ file }) => [{ path: file, edits: [{ oldText: 'a', newText: 'b' }] }]),
  deleteFile: calls(({ file }) => [{ path: file, baseVersion: 1 }]),
  moveFile: calls(({ file }) => [{ from: file, to: 'free.md' }]),
  resolveConflict: calls(({ file }) => [{ path: file }]),
  restoreFile: calls(({ file }) => [{ path: file, targetVersion: 1 }]),
  setFileIcon: calls(({ file, folder }) => [
    { path: file, icon: 'star' },
    { path: folder, icon: 'star' },
  ]),
  setPrivate: calls(({ file }) => [{ path: file, kind: 'file', private: false }]),
  createShare: calls(({ file }) => [{ path: file, kind: 'file' }]),
  revokeShare: calls(({ shareId }) => [{ shareId }]),
  addComment: calls(({ file }) => [{ path: file, quote: 'e', body: 'Why?' }]),
  replyComment: calls(({ threadId }) => [{ threadId, body: 'So' }]),
  resolveComment: calls(({ threadId }) => [{ threadId, resolved: true }]),
  answerComments: calls(({ threadId }) => [{ answers: [{ threadId, body: 'So', resolved: true }] }]),
  appendFile: distinguished,
  writeFile: distinguished,

  getUsage: amounts,

  listWorkspaces: none,
  createWorkspace: none,
  setWorkspace: none,
  setWorkspaceImageIcon: none,
};
