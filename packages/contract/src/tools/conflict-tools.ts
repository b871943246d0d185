import { conflictKeeps } from '@stoa/core';
import { z } from 'zod';
import { choice, toolPath } from './fields.ts';
import { defineTool } from './tool.ts';

/** The tool for conflicted copies (interface: conflicted-copies, Resolve). */
export const resolveConflict = defineTool({
  name: 'resolve_conflict',
  title: 'Resolve conflict',
  description:
    'path is the conflicted copy: merges it into its file, or keep takes one of the two texts, and deletes the copy. If the same lines changed, nothing is done.',
  reach: 'workspace',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    path: toolPath(),
    keep: choice(conflictKeeps)
      .optional()
      .transform((keep = 'merge') => keep),
  }),
});
