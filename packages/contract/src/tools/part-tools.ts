import { z } from 'zod';
import { toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, type GivenArguments, readsOnly, unpublished } from './tool.ts';

/** Maximum number of edits in one call; more is a rewrite. */
export const editsMax = 500;
const linesDefault = 500;
const lineNumber = 'must be a line from 1 on, or from the end: -1 is the last line';

const oldText = wellFormed('must be the text to replace, copied exactly').min(1, {
  error: 'must be the text to replace, copied exactly: it is empty',
});
const anEdit = z.object(
  {
    oldText,
    newText: wellFormed('must be the text to put there; an empty one deletes').meta({
      description: 'Empty deletes',
    }),
    all: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .transform((all = false) => all)
      .meta({ description: 'Every occurrence' }),
  },
  { error: 'must be { oldText, newText }' },
);

/** Tools for parts of files (interface: mcp, Parts of files). */
export const partTools = {
  editFile: defineTool({
    name: 'edit_file',
    title: 'Edit file',
    description:
      'Changes parts of a text file: each oldText, copied exactly, must occur once. Lands on the newest version even if others changed other parts since baseVersion. If ok is false nothing was changed, and the result has the current text. Several edits of a file: one call.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      path: toolPath(),
      edits: z
        .array(anEdit, { error: 'must be a list of { oldText, newText }' })
        .min(1, { error: 'must be a list of { oldText, newText }: it is empty' })
        .max(editsMax, { error: `must be at most ${editsMax}: write_file replaces the whole file` }),
      baseVersion: wholeNumberFrom(1, 'The version you read').optional(),
    }),
    readGiven: readEdits,
  }),
  appendFile: defineTool({
    name: 'append_file',
    title: 'Append to file',
    description:
      'Adds text at the end of a file, from a new line on, without reading it; creates it. Sent twice, it is there twice.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      path: toolPath(),
      content: wellFormed('must be the text to add').min(1, {
        error: 'must be the text to add: it is empty',
      }),
    }),
  }),
  readLines: defineTool({
    name: 'read_lines',
    title: 'Read lines',
    description:
      'Reads text by lines, with its version: 500 lines by default, at most 40,000 characters; the first line says where to continue.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      path: toolPath(),
      from: z
        .int({ error: lineNumber })
        .refine((from) => from !== 0, { error: lineNumber })
        .optional()
        .transform((from = 1) => from)
        .meta({ description: 'Default 1; -20: the last 20' }),
      count: wholeNumberFrom(1)
        .optional()
        .transform((count = linesDefault) => count),
      blame: z.boolean({ error: 'must be true or false' }).optional(),
      // Alternatives to `count`, as other tools have them.
      to: z
        .int({ error: lineNumber })
        .optional()
        .meta({ [unpublished]: true }),
      range: z
        .array(z.int({ error: lineNumber }), { error: 'must be the first and the last line' })
        .length(2, { error: 'must be the first and the last line' })
        .optional()
        .meta({ [unpublished]: true }),
    }),
  }),
};

function wellFormed(error: string) {
  return z
    .string({ error })
    .refine((text) => text.isWellFormed(), { error: 'contains half a character (a lone surrogate)' });
}

/** One edit may come without its list, or as the arguments themselves. */
function readEdits(given: GivenArguments): GivenArguments {
  if (given.edits !== undefined)
    return { ...given, edits: Array.isArray(given.edits) ? given.edits : [given.edits] };
  const { oldText: old, newText, all, ...others } = given;
  if (old === undefined) return given;
  return { ...others, edits: [{ oldText: old, newText, ...(all === undefined ? {} : { all }) }] };
}
