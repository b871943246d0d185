import { z } from 'zod';
import { toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, type GivenArguments, readsOnly } from './tool.ts';

/** Longer than clients wait for an answer would be in vain. */
export const catchUpWaitMaxSeconds = 30;

const sinceForms = 'must be like 24h or 7d, an ISO time like 2026-11-20T23:05:00Z, or a cursor like 517';
const hourMs = 3_600_000;
/** A date, or a date and time with its zone. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/;

/** Where to begin: so many milliseconds ago, at a time, or behind a cursor. */
export type Since = { readonly agoMs: number } | { readonly time: number } | { readonly seq: number };

/** Tools that follow what happens (interface: mcp, Catching up). */
export const feedTools = {
  catchUp: defineTool({
    name: 'catch_up',
    title: 'Catch up',
    description:
      'Start here: what others did since you last asked, a line for each file, with who, new comments and conflicted copies.',
    reach: 'workspace',
    // What it remembers of the call is no more than how far the key was told.
    hints: readsOnly,
    input: z.object({
      since: z
        .string({ error: sinceForms })
        .refine((text) => readSince(text) !== null, { error: sinceForms })
        .optional()
        .meta({ description: '24h, 7d, an ISO time or a cursor' }),
      path: toolPath('A folder or file').optional(),
      diff: z
        .boolean({ error: 'must be true or false' })
        .optional()
        .transform((diff = false) => diff)
        .meta({ description: 'Up to 20 changed lines a file' }),
      wait: wholeNumberFrom(0, 'Seconds to wait for news, at most 30')
        .optional()
        .transform((wait = 0) => Math.min(wait, catchUpWaitMaxSeconds)),
    }),
    readGiven: withSinceAsText,
  }),
};

/** @returns null for a text that is none of the forms. */
export function readSince(text: string): Since | null {
  const trimmed = text.trim();
  const ago = /^(\d{1,5})(h|d)$/.exec(trimmed);
  if (ago !== null) return { agoMs: Number(ago[1]) * hourMs * (ago[2] === 'd' ? 24 : 1) };
  if (/^\d{1,15}$/.test(trimmed)) return { seq: Number(trimmed) };
  const time = isoTime.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(time) ? null : { time };
}

/** A cursor is told as a number, so it comes back as one too. */
function withSinceAsText(given: GivenArguments): GivenArguments {
  return typeof given.since === 'number' ? { ...given, since: String(given.since) } : given;
}
