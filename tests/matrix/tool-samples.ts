import type { ExtendedToolId } from '@stoa/contract';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A call that changes nothing, even when it is let through: it names a missing item, or lacks an argument. */
export interface ToolSample {
  readonly arguments: ToolArguments;
  /** The error for an owner, before the next step; null where the call succeeds. */
  readonly refusal: string | null;
}

const answered = (given: ToolArguments = {}): ToolSample => ({ arguments: given, refusal: null });
const refused = (given: ToolArguments, refusal: string): ToolSample => ({ arguments: given, refusal });

const path = 'none.md';
const noFile = 'File not found';
const noThread = 'Comment thread not found';
const noShare = 'Share link not found';

export const toolSamples: Readonly<Record<ExtendedToolId, ToolSample>> = {
  listWorkspaces: answered(),
  createWorkspace: refused({ name: '' }, 'name: must be 1 to 100 characters'),
  setWorkspace: answered({ name: '' }),
  setWorkspaceImageIcon: refused({ content: '' }, 'content: the image is empty'),
  getUsage: answered(),
  listFiles: answered(),
  searchFiles: answered({ query: 'none' }),
  readFile: refused({ path }, noFile),
  writeFile: refused({ path: 'none/..', content: 'x' }, 'Invalid path: ".." is not allowed'),
  moveFile: refused({ from: path, to: 'there.md' }, noFile),
  deleteFile: refused({ path, baseVersion: 1 }, noFile),
  setFileIcon: refused({ path, icon: 'star' }, noFile),
  setPrivate: refused({ path, kind: 'file' }, noFile),
  readFileVersion: refused({ path, version: 1 }, noFile),
  resolveConflict: refused({ path }, noFile),
  restoreFile: refused({ path, targetVersion: 1 }, noFile),
  createShare: refused({ path, kind: 'file' }, noFile),
  listShares: refused({ path }, noFile),
  revokeShare: refused({ shareId: 'none' }, noShare),
  listComments: answered(),
  addComment: refused({ path, quote: 'a', body: 'Why?' }, noFile),
  replyComment: refused({ threadId: 'none', body: 'Because' }, noThread),
  resolveComment: refused({ threadId: 'none', resolved: true }, noThread),
  editFile: refused({ path, edits: [{ oldText: 'a', newText: 'b' }] }, noFile),
  appendFile: refused({ path: 'none/..', content: 'x' }, 'Invalid path: ".." is not allowed'),
  readLines: refused({ path }, noFile),
  searchContent: answered({ query: 'none' }),
  catchUp: answered(),
  answerComments: refused(
    { answers: [] },
    'answers: must be a list of { threadId, body, resolved }: it is empty',
  ),
};
