import { auditActions, auditKinds, auditPageDefault, auditPageMax } from '@stoa/core';
import { z } from 'zod';
import { isoTime, pathInAnswer } from './path.ts';
import { pageSize } from './query-values.ts';
import { timestamp } from './timestamp.ts';

export const auditQuery = z.object({
  kind: z
    .enum(auditKinds, { error: `must be one of ${auditKinds.join(', ')}` })
    .optional()
    .meta({ description: 'Only entries about this: the part of `action` before the dot.' }),
  person: z
    .string({ error: 'must be the id of a person' })
    .optional()
    .meta({ description: 'Only what this person did, and what is about them.' }),
  since: timestamp('Only entries from this moment on.').optional(),
  until: timestamp('Only entries from before this moment.').optional(),
  cursor: z
    .string({ error: 'must be the `nextCursor` of a page' })
    .optional()
    .meta({ description: 'Where the page before ended: its `nextCursor`.' }),
  limit: pageSize(
    { min: 1, max: auditPageMax, otherwise: auditPageDefault },
    `How many entries; above ${auditPageMax} it counts as ${auditPageMax}.`,
  ),
  format: z.enum(['json', 'jsonl'], { error: 'must be json or jsonl' }).optional().meta({
    description:
      '`jsonl`: every entry that the filters let pass, the oldest first, each a line of JSON; `limit` and `cursor` do not count.',
  }),
});

const auditPerson = z
  .object({ id: z.string(), name: z.string().meta({ description: 'Empty when the account is gone.' }) })
  .meta({ id: 'AuditPerson' });

export const auditEntry = z
  .object({
    id: z.string(),
    at: isoTime,
    action: z.enum(auditActions),
    workspaceId: z.string().nullable(),
    by: z
      .object({
        id: z.string().meta({ description: '`operator` for a command of the operator.' }),
        name: z.string(),
        keyId: z.string().nullable(),
        keyName: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Who did it; null when nobody was known.' }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Of the client; null for a command of the operator.' }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: "By which the request is found in the server's log." }),
    person: auditPerson.nullable().meta({ description: 'Whom it is about.' }),
    target: z
      .object({ id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The key, invite, share link or workspace that it is about.' }),
    path: pathInAnswer.nullable().meta({
      description: 'Null also where it was private to somebody else when this was done.',
    }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditPage = z
  .object({
    entries: z.array(auditEntry),
    nextCursor: z.string().nullable().meta({ description: 'Where the next page begins; null on the last.' }),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof auditPage>;
