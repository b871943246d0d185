import { z } from 'zod';
import { answerComments, commentTools } from './comment-tools.ts';
import { resolveConflict } from './conflict-tools.ts';
import { feedTools } from './feed-tools.ts';
import { wholeNumberFrom } from './fields.ts';
import { fileTools } from './file-tools.ts';
import { historyTools } from './history-tools.ts';
import { partTools } from './part-tools.ts';
import { searchTools } from './search-tools.ts';
import { shareTools } from './share-tools.ts';
import type { ToolDescriptor } from './tool.ts';
import { workspaceTools } from './workspace-tools.ts';

/** The standard set, in the order in which it is listed. */
export const tools = {
  ...workspaceTools,
  ...fileTools,
  ...historyTools,
  ...shareTools,
  ...commentTools,
};

export type ToolId = keyof typeof tools;

const writeWhole =
  'Creates or replaces a file with its complete new content (for parts: edit_file); missing folders are created. Give the version you read as baseVersion. If it changed since, ok is false and your content is saved at conflictCopyPath: read again, merge, write.';

const moveAny =
  'Moves or renames one file, or a folder with all in it, with comments. Files restart at version 1. Fails if the destination exists.';

/** The extended set: some standard tools with more arguments, and tools for parts of files after them. */
export const extendedTools = {
  ...tools,
  listFiles: {
    ...tools.listFiles,
    input: tools.listFiles.input.extend({
      depth: wholeNumberFrom(1, 'As a tree of so many levels').optional(),
    }),
  },
  writeFile: {
    ...tools.writeFile,
    description: writeWhole,
    input: tools.writeFile.input.extend({
      merge: z.boolean({ error: 'must be true or false' }).optional().meta({ description: 'Merge if stale' }),
    }),
  },
  moveFile: { ...tools.moveFile, description: moveAny },
  listComments: {
    ...tools.listComments,
    input: tools.listComments.input.extend({
      brief: z
        .boolean({ error: 'must be true or false' })
        .optional()
        .meta({ description: 'Short lines of text' }),
    }),
  },
  ...partTools,
  ...searchTools,
  ...feedTools,
  answerComments,
  resolveConflict,
};

export type ExtendedToolId = keyof typeof extendedTools;

/** What an agent that works on files needs of them. */
const { listWorkspaces, createWorkspace, listFiles, searchFiles, readFile, writeFile, moveFile, deleteFile } =
  extendedTools;
const { readFileVersion, restoreFile, listComments, addComment } = extendedTools;
const leanTools = {
  listWorkspaces,
  createWorkspace,
  listFiles,
  searchFiles,
  readFile,
  writeFile,
  moveFile,
  deleteFile,
  readFileVersion,
  restoreFile,
  listComments,
  addComment,
  ...partTools,
  ...searchTools,
  ...feedTools,
  answerComments,
};

/** The sets by name, as the address of a connection names them (interface: mcp, Tool sets). */
export const toolSets = { standard: tools, extended: extendedTools, files: leanTools } satisfies Readonly<
  Record<string, Readonly<Record<string, ToolDescriptor>>>
>;

export type ToolSetName = keyof typeof toolSets;
