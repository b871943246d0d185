import { z } from 'zod';
import { contentEncoding, toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, readsOnly } from './tool.ts';

/** Tools for history (interface: mcp, History tools). */
export const historyTools = {
  readFileVersion: defineTool({
    name: 'read_file_version',
    title: 'Read earlier version',
    description:
      'Reads an earlier version of a file, also of a deleted one: to compare, or to see the text an outdated comment refers to.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({ path: toolPath(), version: wholeNumberFrom(1), encoding: contentEncoding }),
  }),
  restoreFile: defineTool({
    name: 'restore_file',
    title: 'Restore version',
    description:
      'Makes an earlier version the newest one, or brings back a deleted file. Nothing is removed.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({ path: toolPath(), targetVersion: wholeNumberFrom(1) }),
  }),
};
