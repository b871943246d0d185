import { changeOps, feedPageDefault, feedPageMax, principals } from '@stoa/core';
import { z } from 'zod';
import { feedWaitMaxSeconds } from '../limits.ts';
import { fileVersion, hash, isoTime, pathInResponse } from './path.ts';
import { flag, pageSize, wholeNumber } from './query-values.ts';
import { timestamp } from './timestamp.ts';

/** A change as it is sent (interface: feed, Change record). */
export const changeRecord = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    seq: z.int().min(1).meta({ description: 'Position in the feed. Always increases, possibly with gaps.' }),
    path: pathInResponse,
    op: z.enum(changeOps),
    version: fileVersion.nullable().meta({
      description: 'After the change; of a delete, the version that was deleted; null for access changes.',
    }),
    principal: z.enum(principals),
    actorId: z.string().meta({ description: 'The person behind the change.' }),
    actorKeyId: z.string().nullable().meta({ description: 'Null for a browser session.' }),
    actorLabel: z.string().nullable().meta({ description: "The key's name at the time of the change." }),
    contentHash: hash
      .nullable()
      .meta({ description: 'Of the new content after a write, a move or a restore.' }),
    createdAt: isoTime,
    movedFrom: pathInResponse.optional().meta({ description: 'Of a move: the old path.' }),
    conflictOf: pathInResponse
      .optional()
      .meta({ description: 'For a conflict: the file of which this is a conflicted copy.' }),
    conflictBase: fileVersion.nullable().optional().meta({
      description: 'For a conflict: the version that its writer had read; null if unknown.',
    }),
  })
  .meta({ id: 'Change' });
export type ChangeRecord = z.infer<typeof changeRecord>;

const head = z.int().min(0).meta({ description: "The workspace's latest sequence number now." });

export const changePage = z
  .object({
    changes: z.array(changeRecord).meta({ description: 'Oldest first.' }),
    head,
    nextSeq: z.int().min(0).meta({
      description:
        'The cursor of the next request. It skips changes that the caller may not see; equal to head when caught up.',
    }),
  })
  .meta({ id: 'ChangePage' });
export type ChangePage = z.infer<typeof changePage>;

export const changesSince = z.object({ changes: z.array(changeRecord), head }).meta({ id: 'ChangesSince' });
export type ChangesSince = z.infer<typeof changesSince>;

/** With `since`, by time. Otherwise by cursor, 0 by default. */
export const changesQuery = z
  .object({
    sinceSeq: wholeNumber({ min: 0 }, 'Changes after this cursor; 0 replays from the beginning.').optional(),
    limit: pageSize(
      { min: 0, max: feedPageMax, otherwise: feedPageDefault },
      `Number of changes to scan; above ${feedPageMax} counts as ${feedPageMax}; 0 returns only head.`,
    ),
    includeComments: flag('Include changes to comment threads.'),
    wait: wholeNumber(
      { min: 1, max: feedWaitMaxSeconds },
      'Seconds to hold the request while there is nothing after the cursor.',
    ).optional(),
    since: timestamp(
      'Changes after this time instead, ordered by time and without a cursor. For showing activity; a client that must not miss a change uses sinceSeq.',
    ).optional(),
    order: z
      .enum(['asc', 'desc'], { error: 'must be asc or desc' })
      .optional()
      .meta({ description: 'With since: desc for newest first.' }),
  })
  .refine((query) => query.since === undefined || query.sinceSeq === undefined, {
    error: 'give either sinceSeq or since, not both',
  });
