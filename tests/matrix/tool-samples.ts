import type { ExtendedToolId } from '@stoa/contract';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A call that changes nothing, even when it is let through: it names a missing item, or lacks an argument. */
export interface ToolSample {
  readonly arguments: ToolArguments;
  /** The error for an owner, before the next step; null where the call succeeds. */
  readonly rejection: string | null;
}

const responded = (given: ToolArguments = {}): ToolSample => ({ arguments: given, rejection: null });
const rejected = (given: ToolArguments, error: string): ToolSample => ({
  arguments: given,
  rejection: error,
});

const path = 'none.md';
const noFile = 'File not found';
const noThread = 'Comment thread not found';
const noShare = 'Share link not found';

export const toolSamples: Readonly<Record<ExtendedToolId, ToolSample>> = {
  listWorkspaces: responded(),
  createWorkspace: rejected({ name: '' }, 'name: must be 1 to 100 characters'),
  setWorkspace: responded({ name: '' }),
  setWorkspaceImageIcon: rejected({ content: '' }, 'content: the image is empty'),
  getUsage: responded(),
  listFiles: responded(),
  searchFiles: responded({ query: 'none' }),
  readFile: rejected({ path }, noFile),
  writeFile: rejected({ path: 'none/..', content: 'x' }, 'Invalid path: ".." is not allowed'),
  moveFile: rejected({ from: path, to: 'there.md' }, noFile),
  deleteFile: rejected({ path, baseVersion: 1 }, noFile),
  setFileIcon: rejected({ path, icon: 'star' }, noFile),
  setPrivate: rejected({ path, kind: 'file' }, noFile),
  readFileVersion: rejected({ path, version: 1 }, noFile),
  resolveConflict: rejected({ path }, noFile),
  restoreFile: rejected({ path, targetVersion: 1 }, noFile),
  createShare: rejected({ path, kind: 'file' }, noFile),
  listShares: rejected({ path }, noFile),
  revokeShare: rejected({ shareId: 'none' }, noShare),
  listComments: responded(),
  addComment: rejected({ path, quote: 'a', body: 'Why?' }, noFile),
  replyComment: rejected({ threadId: 'none', body: 'Because' }, noThread),
  resolveComment: rejected({ threadId: 'none', resolved: true }, noThread),
  editFile: rejected({ path, edits: [{ oldText: 'a', newText: 'b' }] }, noFile),
  appendFile: rejected({ path: 'none/..', content: 'x' }, 'Invalid path: ".." is not allowed'),
  readLines: rejected({ path }, noFile),
  searchContent: responded({ query: 'none' }),
  catchUp: responded(),
  answerComments: rejected(
    { answers: [] },
    'answers: must be a list of { threadId, body, resolved }: it is empty',
  ),
};
