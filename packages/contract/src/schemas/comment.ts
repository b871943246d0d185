import {
  anchorStatuses,
  commentBodyMaxBytes,
  contextMaxBytes,
  dedupeKeyMaxCharacters,
  entryPageDefault,
  entryPageMax,
  principals,
  quoteMaxBytes,
  threadPageDefault,
  threadPageMax,
  threadStatuses,
} from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInResponse, requestPath } from './path.ts';
import { pageSize, wholeNumber } from './query-values.ts';
import { line } from './text.ts';

const encoder = new TextEncoder();

/** Text of several lines. Its size is counted in bytes of UTF-8. */
function text(maxBytes: number, description: string) {
  const limit = `${maxBytes} bytes`;
  return (
    z
      .string({ error: `must be a text of at most ${limit}` })
      // A character takes at least a byte, so longer texts are rejected without encoding them.
      .refine((value) => value.length <= maxBytes && encoder.encode(value).length <= maxBytes, {
        error: `must be at most ${limit} (${maxBytes % 1024 === 0 ? `${maxBytes / 1024} KiB of ` : ''}UTF-8)`,
        abort: true,
      })
      .refine((value) => value.isWellFormed() && !value.includes('\0'), {
        error: 'must not hold NUL or half a character',
      })
      .meta({ description: `${description} At most ${limit} of UTF-8.` })
  );
}

export const commentBody = text(commentBodyMaxBytes, 'The comment, as markdown.').refine(
  (value) => value.trim() !== '',
  { error: 'must not be empty' },
);
export const commentQuote = text(quoteMaxBytes, 'Of a range: the exact text that is commented on.').refine(
  (value) => value !== '',
  { error: 'must not be empty' },
);
export const commentContextBefore = text(
  contextMaxBytes,
  'The text directly before. It selects an occurrence; a point needs it.',
);
export const commentContextAfter = text(
  contextMaxBytes,
  'The text directly after. It selects an occurrence; a point needs it.',
);
export const commentDedupeKey = line(
  { min: 1, max: dedupeKeyMaxCharacters },
  'Sent again with the same key, by the same person in the same thread, a reply is recorded once.',
);
export const anchorKind = z.enum(['range', 'point'], { error: 'must be range or point' });
const positive = z.int({ error: 'must be a whole number' }).min(1, { error: 'must be at least 1' });

const threadFields = {
  path: requestPath('A markdown file.'),
  body: commentBody,
  kind: anchorKind.meta({ description: 'range: a quote. point: a position between two contexts.' }),
  quote: commentQuote.optional(),
  contextBefore: commentContextBefore.optional(),
  contextAfter: commentContextAfter.optional(),
  occurrence: positive.optional().meta({
    description: 'From 1: selects one of several occurrences, counted over the whole file.',
  }),
  baseVersion: positive.optional().meta({
    description: 'The version that the quote was copied from. Default: the current one.',
  }),
};

interface GivenAnchor {
  readonly kind: 'range' | 'point';
  readonly quote?: string | undefined;
  readonly contextBefore?: string | undefined;
  readonly contextAfter?: string | undefined;
}

/** Returns the problem of a new anchor's parts in combination, or null (interface: comments, Start a thread). */
export function anchorFault({ kind, quote, contextBefore, contextAfter }: GivenAnchor): {
  readonly field: 'quote' | 'contextBefore' | 'contextAfter';
  readonly text: string;
} | null {
  if (kind === 'range')
    return quote === undefined
      ? { field: 'quote', text: 'is needed for a range: the exact text that the comment is about' }
      : null;
  if (quote !== undefined) return { field: 'quote', text: 'is not for a point: give its two contexts' };
  if (contextBefore === undefined)
    return {
      field: 'contextBefore',
      text: 'is needed for a point, which takes contextBefore and contextAfter',
    };
  if (contextAfter === undefined)
    return {
      field: 'contextAfter',
      text: 'is needed for a point, which takes contextBefore and contextAfter',
    };
  return contextBefore + contextAfter === ''
    ? { field: 'contextBefore', text: 'must not be empty with the other context' }
    : null;
}

export const startThreadBody = z
  .object(threadFields)
  .superRefine((given, context) => {
    const fault = anchorFault(given);
    if (fault !== null) context.addIssue({ code: 'custom', path: [fault.field], message: fault.text });
  })
  .meta({ id: 'StartThread' });
export type StartThreadInput = z.input<typeof startThreadBody>;

export const replyBody = z
  .object({ body: commentBody, dedupeKey: commentDedupeKey.optional() })
  .meta({ id: 'Reply' });
export type ReplyInput = z.input<typeof replyBody>;

export const setResolvedBody = z
  .object({
    resolved: z.boolean({ error: 'must be true or false' }).meta({ description: 'False opens it again.' }),
  })
  .meta({ id: 'SetResolved' });

const madeBy = {
  createdBy: z.string().meta({ description: "The person's id." }),
  principal: z.enum(principals),
  actorKeyId: z.string().nullable().meta({ description: 'Null for a browser session.' }),
  actorLabel: z.string().nullable().meta({ description: "The key's name at the time." }),
  createdAt: isoTime,
};

const commentEntry = z
  .object({ id: z.string(), threadId: z.string(), body: z.string(), ...madeBy })
  .meta({ id: 'CommentEntry' });
export type CommentEntry = z.infer<typeof commentEntry>;

const commentThread = z
  .object({
    id: z.string(),
    path: pathInResponse,
    status: z.enum(threadStatuses),
    body: z.string().meta({ description: 'The text that opened the thread.' }),
    ...madeBy,
    anchorKind,
    quote: z.string().nullable().meta({ description: 'As it was in the pinned version. Null for a point.' }),
    contextBefore: z.string(),
    contextAfter: z.string(),
    anchorStatus: z.enum(anchorStatuses).meta({
      description:
        'In the current file. ambiguous: several positions match. outdated: the text was deleted or rewritten.',
    }),
    currentText: z.string().nullable().meta({
      description: 'The current text, empty for a point. Null unless anchored.',
    }),
    currentRange: z
      .object({ start: z.int().min(0), end: z.int().min(0) })
      .nullable()
      .meta({
        description: 'Its position in bytes, without end. Null unless anchored.',
      }),
    pinnedVersion: fileVersion.meta({ description: 'The version in which the anchor was placed.' }),
    pinnedContentHash: hash,
    entries: z.array(commentEntry).meta({ description: 'Replies, oldest first: a page of them.' }),
    entryCount: z.int().min(0).meta({ description: 'All replies.' }),
    resolvedAt: isoTime.nullable(),
    resolvedAtVersion: fileVersion.nullable().meta({ description: "The file's version at that moment." }),
    resolvedBy: z.string().nullable().meta({ description: "The person's id." }),
  })
  .meta({ id: 'CommentThread' });
export type CommentThread = z.infer<typeof commentThread>;

export const startedThread = z.object({ thread: commentThread }).meta({ id: 'StartedThread' });

export const repliedEntry = z
  .object({
    entry: commentEntry,
    deduped: z.boolean().meta({ description: 'True: the reply existed already.' }),
  })
  .meta({ id: 'Replied' });

export const resolvedThread = z
  .object({
    ok: z.literal(true),
    resolved: z.boolean(),
    changed: z.boolean().meta({ description: 'False: it already had this state.' }),
    resolvedAt: isoTime.nullable(),
    resolvedAtVersion: fileVersion.nullable(),
    resolvedBy: z.string().nullable(),
  })
  .meta({ id: 'ResolvedThread' });

export const commentList = z
  .object({
    threads: z.array(commentThread).meta({ description: 'Oldest first.' }),
    total: z.int().min(0).meta({ description: 'Matching threads; when truncated, those found so far.' }),
    nextOffset: z.int().nullable().meta({
      description: 'Where the next page begins; null on the last page. A page may be shorter than its limit.',
    }),
    truncated: z.boolean().meta({
      description: 'True: a filter by anchor stopped before all threads were looked at. Narrow the others.',
    }),
  })
  .meta({ id: 'CommentList' });

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z
    .enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })
    .optional()
    .meta({ description });

const id = (description: string) =>
  z.string().min(1, { error: 'must not be empty' }).optional().meta({ description });

export const commentsQuery = z.object({
  path: requestPath('Threads on this file.').optional(),
  threadId: id('This one thread.'),
  status: oneOf(threadStatuses, 'Open or resolved threads.'),
  anchorStatus: oneOf(anchorStatuses, 'Threads whose anchor has this status in the current file.'),
  author: id('Threads that this person started: a user id.'),
  limit: pageSize(
    { min: 1, max: threadPageMax, otherwise: threadPageDefault },
    `Threads in a page; above ${threadPageMax} counts as ${threadPageMax}.`,
  ),
  offset: wholeNumber({ min: 0 }, 'Threads to skip.').optional(),
  entriesLimit: pageSize(
    { min: 0, max: entryPageMax, otherwise: entryPageDefault },
    `Replies of each thread; above ${entryPageMax} counts as ${entryPageMax}.`,
  ),
  entriesOffset: wholeNumber({ min: 0 }, 'Replies of each thread to skip.').optional(),
});
