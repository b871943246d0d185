import { z } from 'zod';
import { contentEncoding, toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, readsOnly, unpublished } from './tool.ts';

/** Numbers restart with a move. If both files have a version, a response names the path that distinguishes them. */
const beforeMove = toolPath()
  .optional()
  .meta({ [unpublished]: true });

/** Tools for history (interface: mcp, History tools). */
export const historyTools = {
  readFileVersion: defineTool({
    name: 'read_file_version',
    title: 'Read earlier version',
    description:
      'Reads an earlier version of a file, also of a deleted one or from before a move: to compare, or to see what an outdated comment means.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      path: toolPath(),
      version: wholeNumberFrom(1),
      encoding: contentEncoding,
      movedFrom: beforeMove,
    }),
  }),
  restoreFile: defineTool({
    name: 'restore_file',
    title: 'Restore version',
    description: 'Makes an earlier version the newest, or brings back a deleted file. Nothing is removed.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      path: toolPath(),
      targetVersion: wholeNumberFrom(1),
      baseVersion: wholeNumberFrom(1)
        .optional()
        .meta({ [unpublished]: true }),
      movedFrom: beforeMove,
    }),
  }),
};
