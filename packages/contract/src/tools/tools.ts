import { nodeKinds } from '@stoa/core';
import { z } from 'zod';
import { answerComments, commentTools } from './comment-tools.ts';
import { resolveConflict } from './conflict-tools.ts';
import { feedTools } from './feed-tools.ts';
import { choice, wholeNumberFrom } from './fields.ts';
import { fileTools } from './file-tools.ts';
import { historyTools } from './history-tools.ts';
import { partTools } from './part-tools.ts';
import { searchTools } from './search-tools.ts';
import { shareTools } from './share-tools.ts';
import { type ToolDescriptor, unpublished } from './tool.ts';
import { workspaceTools } from './workspace-tools.ts';

/** The standard set, in list order. */
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

const usageWithHistory =
  'Reports bytes and files used and left, and the bytes of earlier versions. Null: unlimited; warning: 90 % of the allowed files.';

const hideWhole =
  'Hides a file, or a folder and all in it, from other members and ends its share links; private false shares it again, which only the person who hid it can.';

/** A call that would take files from other users asks first. The error names this argument. */
const others = z
  .boolean({ error: 'must be true or false' })
  .optional()
  .meta({ [unpublished]: true });

const moveAny =
  'Moves or renames a file or folder, with comments. Links stay as they are. Files restart at version 1. Fails if the destination exists.';

/** The extended set: some standard tools with more arguments, then tools for parts of files. */
export const extendedTools = {
  ...tools,
  listFiles: {
    ...tools.listFiles,
    input: tools.listFiles.input.extend({
      depth: wholeNumberFrom(1, 'Tree of so many levels').optional(),
    }),
  },
  writeFile: {
    ...tools.writeFile,
    description: writeWhole,
    input: tools.writeFile.input.extend({
      merge: z
        .boolean({ error: 'must be true or false' })
        .optional()
        .meta({ description: 'By lines, if stale' }),
    }),
  },
  moveFile: {
    ...tools.moveFile,
    description: moveAny,
    input: tools.moveFile.input.extend({ others }),
  },
  getUsage: { ...tools.getUsage, description: usageWithHistory },
  setPrivate: {
    ...tools.setPrivate,
    description: hideWhole,
    input: tools.setPrivate.input.extend({
      kind: choice(nodeKinds).optional().meta({ description: 'Default: the existing kind, else folder' }),
      others,
    }),
  },
  restoreFile: {
    ...tools.restoreFile,
    input: tools.restoreFile.input.extend({ baseVersion: wholeNumberFrom(1).optional() }),
  },
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

/** The tools that an agent needs for files. */
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
