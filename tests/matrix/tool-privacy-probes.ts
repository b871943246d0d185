import type { ExtendedToolId } from '@stoa/contract';
import type { HiddenThing } from './hidden-situations.ts';
import type { ToolArguments } from './tool-samples.ts';

/** A call by a caller who must not learn of the hidden item. */
export interface ToolProbe {
  readonly given: ToolArguments;
  /**
   * Set where the interface itself distinguishes the hidden item from a missing one, with the reason. The
   * response must then be the error for a missing file, whatever a missing item returns.
   */
  readonly distinguished?: string;
}

/** The probes of a tool, or the reason why it has none: it names nothing in a workspace. */
export type ToolProbeRow =
  | { readonly kind: 'asks'; readonly probes: (thing: HiddenThing) => readonly ToolProbe[] }
  | { readonly kind: 'names_nothing'; readonly why: string };

const asks = (probes: (thing: HiddenThing) => readonly ToolProbe[]): ToolProbeRow => ({
  kind: 'asks',
  probes,
});
const calls = (given: (thing: HiddenThing) => readonly ToolArguments[]): ToolProbeRow =>
  asks((thing) => given(thing).map((each) => ({ given: each })));
const namesNothing = (why: string): ToolProbeRow => ({ kind: 'names_nothing', why });

const writeSays = 'a path that the caller cannot see is not found, and an absent one takes a write';
const moveSays = 'a move onto another member’s private item is not found, and an absent path takes a file';
const privateSays = 'a member cannot make another member’s private item private: not found';
const usageSays = 'private files count in the usage of the workspace';

/** The hidden paths: the file, and the folder where that is private. */
const hiddenPaths = ({ path, folder }: HiddenThing) => (folder === null ? [path] : [path, folder]);
/** Adds the former path of the file, from when all could see it. */
const everyPath = (thing: HiddenThing) =>
  thing.formerPath === null ? hiddenPaths(thing) : [...hiddenPaths(thing), thing.formerPath];
/** Paths that the hidden item occupies. */
const obstacles = ({ obstacle }: HiddenThing) => (obstacle === null ? [] : [obstacle]);
const byThread = ({ threadId }: HiddenThing, given: readonly ToolArguments[]) =>
  threadId === null ? [] : given.map((each) => ({ threadId, ...each }));
const seenFile = ({ cell }: HiddenThing) => `${cell}/seen.md`;

/** Every tool of the contract, in the order of the calls. */
export const toolPrivacyProbes: Readonly<Record<ExtendedToolId, ToolProbeRow>> = {
  listFiles: calls((thing) => [
    {},
    { limit: 1 },
    { limit: 1, offset: 1 },
    { offset: 1000 },
    { prefix: thing.cell },
    { prefix: thing.cell, limit: 1 },
    ...hiddenPaths(thing).map((prefix) => ({ prefix })),
  ]),
  searchFiles: calls(({ nameCanary, cell }) =>
    [nameCanary, nameCanary.slice(0, 6), 'x.md', 'md', cell].flatMap((query) => [
      { query },
      { query, limit: 1 },
    ]),
  ),
  readFile: calls((thing) =>
    everyPath(thing).flatMap((path) => [
      { path },
      { path, encoding: 'base64' },
      { path, offset: 0, maxBytes: 4 },
      { path, offset: 1000 },
    ]),
  ),
  readFileVersion: calls((thing) =>
    everyPath(thing).flatMap((path) => [1, 2, 9].map((version) => ({ path, version }))),
  ),
  listComments: calls((thing) => [
    {},
    { limit: 1, entriesLimit: 1 },
    { limit: 1, offset: 1 },
    { status: 'open' },
    { anchorStatus: 'anchored' },
    { anchorStatus: 'outdated' },
    ...hiddenPaths(thing).map((path) => ({ path })),
    ...byThread(thing, [{}, { status: 'resolved' }]),
  ]),
  listShares: calls((thing) => [...hiddenPaths(thing), thing.cell].map((path) => ({ path }))),
  getUsage: asks(() => [{ given: {}, distinguished: usageSays }]),

  readLines: calls((thing) =>
    everyPath(thing).flatMap((path) => [{ path }, { path, from: -1, count: 1 }, { path, blame: true }]),
  ),

  searchContent: calls((thing) =>
    [thing.nameCanary, 'canary', 'second', 'e', 'no such words'].flatMap((query) => [
      { query },
      { query, limit: 1, context: 5 },
      { query, path: `${thing.cell}/**` },
      { query, mode: 'words' },
      { query, mode: 'words', limit: 1, offset: 1 },
      ...everyPath(thing).flatMap((path) => [
        { query, path },
        { query, path, mode: 'words' },
      ]),
    ]),
  ),

  catchUp: calls((thing) => [
    {},
    { since: '7d', diff: true },
    { since: '7d', path: thing.cell },
    ...everyPath(thing).map((path) => ({ since: '7d', path, diff: true })),
  ]),

  editFile: calls((thing) =>
    everyPath(thing).flatMap((path) => [
      { path, edits: [{ oldText: 'second', newText: 'x' }] },
      { path, edits: [{ oldText: 'nowhere', newText: 'x' }], baseVersion: 1 },
    ]),
  ),
  appendFile: asks((thing) => [
    ...[...obstacles(thing), ...hiddenPaths(thing).flatMap((path) => [path, `${path}/below`])].map(
      (path) => ({
        given: { path, content: 'mine now' },
        distinguished: writeSays,
      }),
    ),
  ]),
  deleteFile: calls((thing) =>
    hiddenPaths(thing).flatMap((path) => [1, 2].map((baseVersion) => ({ path, baseVersion }))),
  ),
  resolveConflict: calls((thing) =>
    everyPath(thing).flatMap((path) => [{ path }, { path, keep: 'current' }, { path, keep: 'copy' }]),
  ),
  restoreFile: calls((thing) =>
    hiddenPaths(thing).flatMap((path) => [1, 9].map((targetVersion) => ({ path, targetVersion }))),
  ),
  writeFile: asks((thing) => [
    { given: { path: seenFile(thing), content: 'seen by all' } },
    ...[
      ...obstacles(thing).map((path) => ({ path })),
      ...hiddenPaths(thing).flatMap((path) => [
        { path },
        { path, content: '' },
        { path, baseVersion: 1 },
        { path, baseVersion: 9 },
        { path, content: `second ${thing.contentCanary}` },
        { path: `${path}/below` },
      ]),
    ].map((given) => ({ given: { content: 'mine now', ...given }, distinguished: writeSays })),
  ]),
  moveFile: asks((thing) => [
    ...hiddenPaths(thing).flatMap((path) => [
      { given: { from: path, to: `${thing.cell}/taken.md` } },
      { given: { from: path, to: path } },
      { given: { from: seenFile(thing), to: path }, distinguished: moveSays },
      { given: { from: seenFile(thing), to: `${path}/below` }, distinguished: moveSays },
    ]),
    ...obstacles(thing).map((to) => ({ given: { from: seenFile(thing), to }, distinguished: moveSays })),
  ]),
  setFileIcon: calls((thing) =>
    hiddenPaths(thing).flatMap((path) => [{ path, icon: 'star' }, { path, icon: '' }, { path }]),
  ),
  setPrivate: asks((thing) => [
    ...[true, false].flatMap((wanted) => [
      { given: { path: thing.path, kind: 'file', private: wanted } },
      ...hiddenPaths(thing).map((path) => ({
        given: { path, private: wanted },
        ...(wanted ? { distinguished: privateSays } : {}),
      })),
    ]),
    ...[true, false].map((wanted) => ({ given: { path: thing.cell, kind: 'folder', private: wanted } })),
  ]),
  createShare: calls((thing) => [
    ...hiddenPaths(thing).flatMap((path) => [
      { path, kind: 'file' },
      { path, kind: 'folder' },
      { path, kind: 'file', access: 'public' },
    ]),
    { path: thing.cell, kind: 'folder' },
  ]),
  revokeShare: calls(({ shareId }) => (shareId === null ? [] : [{ shareId }])),
  addComment: calls((thing) =>
    hiddenPaths(thing).flatMap((path) => [
      { path, quote: 'second', body: 'What is it?' },
      { path, quote: 'e', body: 'What is it?', baseVersion: 1 },
      { path, quote: 'nowhere', body: 'What is it?', baseVersion: 9 },
      { path, kind: 'point', contextBefore: 'sec', contextAfter: 'ond', body: 'What is it?' },
    ]),
  ),
  replyComment: calls((thing) =>
    byThread(thing, [{ body: 'I see you' }, { body: 'I see you', dedupeKey: 'one' }]),
  ),
  answerComments: calls(({ threadId }) =>
    threadId === null ? [] : [{ answers: [{ threadId, body: 'I see you', resolved: true }] }],
  ),
  resolveComment: calls((thing) => byThread(thing, [{ resolved: true }, { resolved: false }])),
  setWorkspace: calls(() => [{}, { color: 'amber' }]),
  setWorkspaceImageIcon: calls(() => [{ content: 'AQ==' }]),

  listWorkspaces: namesNothing('names the caller’s workspaces and nothing in them'),
  createWorkspace: namesNothing('makes another workspace'),
};
