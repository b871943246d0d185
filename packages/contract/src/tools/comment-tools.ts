import {
  anchorStatuses,
  commentBodyMaxBytes,
  contextMaxBytes,
  entryPageDefault,
  entryPageMax,
  quoteMaxBytes,
  threadPageDefault,
  threadPageMax,
  threadStatuses,
} from '@stoa/core';
import { z } from 'zod';
import {
  anchorKind,
  commentBody,
  commentContextAfter,
  commentContextBefore,
  commentDedupeKey,
  commentQuote,
} from '../schemas/comment.ts';
import { choice, pageSizeUpTo, toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, readsOnly } from './tool.ts';

const threadId = z.string({ error: 'must be the id of a thread' });
const body = commentBody.meta({ description: `Markdown, at most ${commentBodyMaxBytes / 1024} KiB` });
const skip = wholeNumberFrom(0)
  .optional()
  .transform((offset = 0) => offset);

/** Maximum number of threads in one call. */
const responsesMax = 100;

/** Replies to any number of threads; part of the extended set. */
export const answerComments = defineTool({
  name: 'answer_comments',
  title: 'Answer comments',
  description: 'Replies to and resolves any number of threads at once. Resolve only what you fixed.',
  reach: 'workspace',
  needs: 'comment',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.object({
    answers: z
      .array(
        z.object(
          {
            threadId,
            body: commentBody.optional().meta({ description: 'Markdown' }),
            resolved: z.boolean({ error: 'must be true or false' }).optional(),
          },
          { error: 'must be { threadId, body, resolved }' },
        ),
        { error: 'must be a list of { threadId, body, resolved }' },
      )
      .min(1, { error: 'must be a list of { threadId, body, resolved }: it is empty' })
      .max(responsesMax, { error: `must be at most ${responsesMax}: send the others in another call` }),
    dedupeKey: commentDedupeKey.optional().meta({ description: 'Any text: a retry replies once' }),
  }),
  readGiven: (given) => {
    const { answers: responses, threadId: id, body: text, resolved, ...others } = given;
    if (responses === undefined && id !== undefined)
      return { ...others, answers: [{ threadId: id, body: text, resolved }] };
    return typeof responses === 'object' && responses !== null && !Array.isArray(responses)
      ? { ...given, answers: [responses] }
      : given;
  },
});

/** Tools for comments (interface: mcp, Comment tools). */
export const commentTools = {
  listComments: defineTool({
    name: 'list_comments',
    title: 'List comments',
    description:
      'Lists comment threads, oldest first, with replies and the text they are about now (currentText). If truncated, filter by path or status.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      path: toolPath().optional(),
      threadId: threadId.optional(),
      status: choice(threadStatuses).optional(),
      anchorStatus: choice(anchorStatuses).optional(),
      author: z
        .string({ error: 'must be the name or id of a person, or the label of a key' })
        .optional()
        .meta({ description: 'Name or id' }),
      limit: pageSizeUpTo(threadPageMax, threadPageDefault),
      offset: skip,
      entriesLimit: pageSizeUpTo(entryPageMax, entryPageDefault, 0),
      entriesOffset: skip,
    }),
  }),
  addComment: defineTool({
    name: 'add_comment',
    title: 'Add comment',
    description:
      'Starts a thread on a passage of a markdown file. If the quote cannot be placed, ok is false and nothing is created: add context or the occurrence.',
    reach: 'workspace',
    needs: 'comment',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      path: toolPath(),
      body,
      quote: commentQuote.optional().meta({ description: `Exact text, at most ${quoteMaxBytes / 1024} KiB` }),
      contextBefore: commentContextBefore
        .optional()
        .meta({ description: `Just before, at most ${contextMaxBytes} bytes` }),
      contextAfter: commentContextAfter
        .optional()
        .meta({ description: `Just after, at most ${contextMaxBytes} bytes` }),
      occurrence: wholeNumberFrom(1, 'From 1').optional(),
      kind: anchorKind
        .optional()
        .transform((kind = 'range') => kind)
        .meta({ description: 'Or point: both contexts, no quote' }),
      baseVersion: wholeNumberFrom(1, 'Version you quote').optional(),
    }),
  }),
  replyComment: defineTool({
    name: 'reply_comment',
    title: 'Reply to comment',
    description:
      'Replies in a thread: say what you changed, or why not. A retry with the same dedupeKey is recorded once.',
    reach: 'workspace',
    needs: 'comment',
    hints: { readOnly: false, destructive: false, idempotent: false },
    input: z.object({
      threadId,
      body,
      dedupeKey: commentDedupeKey.optional().meta({ description: 'Any' }),
    }),
  }),
  resolveComment: defineTool({
    name: 'resolve_comment',
    title: 'Resolve comment',
    description:
      'Marks a thread resolved, or open again with resolved false. Resolve only what you fixed; otherwise reply.',
    reach: 'workspace',
    needs: 'comment',
    hints: { readOnly: false, destructive: false, idempotent: true },
    input: z.object({ threadId, resolved: z.boolean({ error: 'must be true or false' }) }),
  }),
};
