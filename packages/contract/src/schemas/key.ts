import {
  accountKeyName,
  keyAccesses,
  keyDaysMax,
  principalOf,
  principals,
  workspaceKeyName,
} from '@stoa/core';
import { z } from 'zod';
import { keyNameMaxCharacters } from '../limits.ts';
import { isoTime, requestPath } from './path.ts';
import { visibleName } from './text.ts';

const accessRule = `must be one of ${keyAccesses.join(', ')}`;
const daysRule = `must be a whole number of days from 1 to ${keyDaysMax}`;

/** What makes a key a narrow one (interface: access, Narrow keys). */
export const narrowing = {
  access: z
    .enum(keyAccesses, { error: accessRule })
    .optional()
    .meta({ description: 'What the key may do: read; read and comment; or, unless told, everything.' }),
  path: requestPath(
    'The folder or the file that the key is for: the rest of the workspace is not there.',
  ).optional(),
  expiresInDays: z
    .int({ error: daysRule })
    .min(1, { error: daysRule })
    .max(keyDaysMax, { error: daysRule })
    .optional()
    .meta({ description: 'After so many days the key ends by itself.' }),
};

/** How a key is narrow, where it is. */
export const narrowness = {
  access: z
    .enum(keyAccesses)
    .optional()
    .meta({ description: 'Only where the key may not change everything.' }),
  path: z.string().optional().meta({ description: 'Only where the key is for one folder or file.' }),
  expiresAt: isoTime.optional().meta({ description: 'Only where the key was made for a number of days.' }),
};

export const createKeyBody = z
  .object({
    name: visibleName(
      { min: 1, max: keyNameMaxCharacters },
      `By default ${accountKeyName}, or ${workspaceKeyName} with a workspaceId.`,
    ).optional(),
    actorType: z
      .unknown()
      .transform(principalOf)
      .meta({ type: 'string', enum: [...principals], description: 'Whatever is not agent counts as human.' })
      .optional(),
    workspaceId: z
      .string({ error: 'must be the id of a workspace' })
      .min(1, { error: 'must be the id of a workspace' })
      .optional()
      .meta({ description: 'Limits the key to this workspace, which the caller must be a member of.' }),
    ...narrowing,
  })
  .prefault({})
  .meta({ id: 'CreateKey' });
export type CreateKeyBody = z.output<typeof createKeyBody>;
/** `actorType` is typed more narrowly than what is accepted. */
export type CreateKeyInput = Partial<CreateKeyBody>;

const actorType = z
  .enum(principals)
  .meta({ description: 'What everything done with the key is recorded as.' });

export const createdKey = z
  .object({
    id: z.string(),
    key: z.string().meta({ description: 'The secret. Shown only here.' }),
    name: z.string(),
    actorType,
    workspaceId: z.string().optional().meta({ description: 'Only on a key of one workspace.' }),
    ...narrowness,
  })
  .meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof createdKey>;

/** A key in a listing (interface: access, Key management). */
export const keyRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    metadata: z.object({ actorType, workspaceId: z.string().optional(), ...narrowness }),
    createdAt: isoTime,
    expiresAt: isoTime.nullable(),
    lastUsedAt: isoTime.nullable().meta({ description: 'Sampled every few minutes.' }),
  })
  .meta({ id: 'Key' });
export type KeyRecord = z.infer<typeof keyRecord>;

export const keyList = z.object({ keys: z.array(keyRecord) }).meta({ id: 'KeyList' });

export const revokedKey = z.object({ ok: z.literal(true) }).meta({ id: 'RevokedKey' });
