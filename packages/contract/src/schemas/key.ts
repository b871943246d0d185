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

/** The restrictions of a narrow key (interface: access, Narrow keys). */
export const narrowing = {
  access: z
    .enum(keyAccesses, { error: accessRule })
    .optional()
    .meta({ description: 'Access of the key: read; read and comment; or everything (the default).' }),
  path: requestPath(
    'The folder or file that the key is for: it does not see the rest of the workspace.',
  ).optional(),
  expiresInDays: z
    .int({ error: daysRule })
    .min(1, { error: daysRule })
    .max(keyDaysMax, { error: daysRule })
    .optional()
    .meta({ description: 'The key expires after this number of days.' }),
};

/** The restrictions of a key; each is absent if it does not apply. */
export const narrowness = {
  access: z.enum(keyAccesses).optional().meta({ description: 'Only if the key has limited access.' }),
  path: z.string().optional().meta({ description: 'Only if the key is for one folder or file.' }),
  expiresAt: isoTime.optional().meta({ description: 'Only if the key expires.' }),
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
      .meta({ type: 'string', enum: [...principals], description: 'Any value except agent counts as human.' })
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
/** The type of `actorType` is narrower than the accepted input. */
export type CreateKeyInput = Partial<CreateKeyBody>;

const actorType = z
  .enum(principals)
  .meta({ description: "The kind of actor in records of the key's changes." });

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
