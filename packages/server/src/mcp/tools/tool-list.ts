import type { ExtendedToolId, ToolId, ToolSetName } from '@stoa/contract';
import type { Tool } from '../tool.ts';
import { addCommentTool } from './add-comment.ts';
import { answerCommentsTool } from './answer-comments.ts';
import { appendFileTool } from './append-file.ts';
import { catchUpTool } from './catch-up.ts';
import { createShareTool } from './create-share.ts';
import { createWorkspaceTool } from './create-workspace.ts';
import { deleteFileTool } from './delete-file.ts';
import { editFileTool } from './edit-file.ts';
import { getUsageTool, getUsageWithHistoryTool } from './get-usage.ts';
import { listCommentsBrieflyTool, listCommentsTool } from './list-comments.ts';
import { listFilesOrTreeTool, listFilesTool } from './list-files.ts';
import { listSharesTool } from './list-shares.ts';
import { listWorkspacesTool } from './list-workspaces.ts';
import { moveFileOrFolderTool, moveFileTool } from './move-file.ts';
import { readFileTool } from './read-file.ts';
import { readFileVersionTool } from './read-file-version.ts';
import { readLinesTool } from './read-lines.ts';
import { replyCommentTool } from './reply-comment.ts';
import { resolveCommentTool } from './resolve-comment.ts';
import { resolveConflictTool } from './resolve-conflict.ts';
import { restoreFileAtBaseTool, restoreFileTool } from './restore-file.ts';
import { revokeShareTool } from './revoke-share.ts';
import { searchContentTool } from './search-content.ts';
import { searchFilesTool, searchFilesWithContentTool } from './search-files.ts';
import { setFileIconTool } from './set-file-icon.ts';
import { setPrivateTool, setPrivateUnlessOthersTool } from './set-private.ts';
import { setWorkspaceTool } from './set-workspace.ts';
import { setWorkspaceImageIconTool } from './set-workspace-image-icon.ts';
import { writeFileTool, writeOrMergeFileTool } from './write-file.ts';

/** The handler of each tool of the contract. The type requires all of them. */
const toolsById: Readonly<Record<ToolId, Tool>> = {
  listWorkspaces: listWorkspacesTool,
  createWorkspace: createWorkspaceTool,
  setWorkspace: setWorkspaceTool,
  setWorkspaceImageIcon: setWorkspaceImageIconTool,
  getUsage: getUsageTool,
  listFiles: listFilesTool,
  searchFiles: searchFilesTool,
  readFile: readFileTool,
  readFileVersion: readFileVersionTool,
  writeFile: writeFileTool,
  moveFile: moveFileTool,
  deleteFile: deleteFileTool,
  setFileIcon: setFileIconTool,
  setPrivate: setPrivateTool,
  restoreFile: restoreFileTool,
  createShare: createShareTool,
  listShares: listSharesTool,
  revokeShare: revokeShareTool,
  listComments: listCommentsTool,
  addComment: addCommentTool,
  replyComment: replyCommentTool,
  resolveComment: resolveCommentTool,
};

const extendedToolsById: Readonly<Record<ExtendedToolId, Tool>> = {
  ...toolsById,
  getUsage: getUsageWithHistoryTool,
  setPrivate: setPrivateUnlessOthersTool,
  listFiles: listFilesOrTreeTool,
  searchFiles: searchFilesWithContentTool,
  writeFile: writeOrMergeFileTool,
  moveFile: moveFileOrFolderTool,
  restoreFile: restoreFileAtBaseTool,
  listComments: listCommentsBrieflyTool,
  editFile: editFileTool,
  appendFile: appendFileTool,
  readLines: readLinesTool,
  searchContent: searchContentTool,
  catchUp: catchUpTool,
  answerComments: answerCommentsTool,
  resolveConflict: resolveConflictTool,
};

/** By set. The contract decides which tools a set lists. */
export const toolLists: Readonly<Record<ToolSetName, readonly Tool[]>> = {
  standard: Object.values(toolsById),
  extended: Object.values(extendedToolsById),
  files: Object.values(extendedToolsById),
};
