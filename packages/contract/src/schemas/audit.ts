import { auditActions, auditKinds, auditPageDefault, auditPageMax } from '@stoa/core';
import { z } from 'zod';
import { isoTime, pathInResponse } from './path.ts';
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
    .meta({ description: 'Only entries by or about this person.' }),
  since: timestamp('Only entries from this moment on.').optional(),
  until: timestamp('Only entries from before this moment.').optional(),
  cursor: z
    .string({ error: 'must be the `nextCursor` of a page' })
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
  limit: pageSize(
    { min: 1, max: auditPageMax, otherwise: auditPageDefault },
    `Number of entries; above ${auditPageMax} counts as ${auditPageMax}.`,
  ),
  format: z.enum(['json', 'jsonl'], { error: 'must be json or jsonl' }).optional().meta({
    description:
      '`jsonl`: all entries that match the filters, oldest first, each a line of JSON; `limit` and `cursor` are ignored.',
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
      .meta({ description: 'Its author; null if unknown.' }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Of the client; null for a command of the operator.' }),
    requestId: z.string().nullable().meta({ description: "Identifies the request in the server's log." }),
    person: auditPerson.nullable().meta({ description: 'The person it is about.' }),
    target: z
      .object({ id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The key, invite, share link or workspace that it is about.' }),
    path: pathInResponse.nullable().meta({
      description: 'Also null if the path was private to another person at that time.',
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
