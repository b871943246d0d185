import { z } from 'zod';
import { toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, type GivenArguments, readsOnly } from './tool.ts';

/** Clients do not wait longer for a response. */
export const catchUpWaitMaxSeconds = 30;

const sinceForms = 'must be like 24h or 7d, an ISO time like 2026-11-20T23:05:00Z, or a cursor like 517';
const hourMs = 3_600_000;
/** A date, or a date and time with its zone. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/;

/** The start: a number of milliseconds ago, a time, or a cursor. */
export type Since = { readonly agoMs: number } | { readonly time: number } | { readonly seq: number };

/** Tools that follow changes (interface: mcp, Catching up). */
export const feedTools = {
  catchUp: defineTool({
    name: 'catch_up',
    title: 'Catch up',
    description:
      'Start here: what others did since you last asked, a line for each file, with all authors, new comments and conflicted copies.',
    reach: 'workspace',
    // It only records how far the key has read the feed.
    hints: readsOnly,
    input: z.object({
      since: z
        .string({ error: sinceForms })
        .refine((text) => readSince(text) !== null, { error: sinceForms })
        .optional()
        .meta({ description: 'Your last cursor (of the same path), 24h, 7d or an ISO time' }),
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

/** @returns null for a text in another form */
export function readSince(text: string): Since | null {
  const trimmed = text.trim();
  const ago = /^(\d{1,5})(h|d)$/.exec(trimmed);
  if (ago !== null) return { agoMs: Number(ago[1]) * hourMs * (ago[2] === 'd' ? 24 : 1) };
  if (/^\d{1,15}$/.test(trimmed)) return { seq: Number(trimmed) };
  const time = isoTime.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(time) ? null : { time };
}

/** A cursor in a response is a number, so clients may send it back as one. */
function withSinceAsText(given: GivenArguments): GivenArguments {
  return typeof given.since === 'number' ? { ...given, since: String(given.since) } : given;
}
