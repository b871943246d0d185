import { type ExtendedToolId, extendedTools } from '@stoa/contract';

/**
 * Cost class of each tool: `costly` if it may take more than a few milliseconds or return more than a few kilobytes.
 * Changes, uploads and merges have their own queues.
 */
export const toolCosts: Readonly<Record<ExtendedToolId, 'small' | 'costly'>> = {
  listWorkspaces: 'costly',
  createWorkspace: 'small',
  setWorkspace: 'small',
  setWorkspaceImageIcon: 'small',
  getUsage: 'costly',
  listFiles: 'costly',
  searchFiles: 'costly',
  readFile: 'costly',
  writeFile: 'small',
  moveFile: 'small',
  deleteFile: 'small',
  setFileIcon: 'small',
  setPrivate: 'small',
  readFileVersion: 'costly',
  resolveConflict: 'small',
  restoreFile: 'small',
  createShare: 'small',
  listShares: 'costly',
  revokeShare: 'small',
  listComments: 'costly',
  addComment: 'small',
  replyComment: 'small',
  resolveComment: 'small',
  editFile: 'small',
  appendFile: 'small',
  readLines: 'costly',
  searchContent: 'costly',
  catchUp: 'costly',
  answerComments: 'small',
};

const costlyNames: ReadonlySet<string> = new Set(
  Object.entries(toolCosts).flatMap(([id, cost]) =>
    cost === 'costly' ? [extendedTools[id as ExtendedToolId].name] : [],
  ),
);

export function isCostlyTool(name: string): boolean {
  return costlyNames.has(name);
}

/** Whether a message, or any message of a batch, calls a costly tool. */
export function callsCostlyTool(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(callsCostlyTool);
  const params: unknown = messageField(message, 'params');
  const name = messageField(params, 'name');
  return messageField(message, 'method') === 'tools/call' && typeof name === 'string' && isCostlyTool(name);
}

function messageField(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
