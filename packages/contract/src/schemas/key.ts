import { accountKeyName, principalOf, principals, workspaceKeyName } from '@stoa/core';
import { z } from 'zod';
import { keyNameMaxCharacters } from '../limits.ts';
import { isoTime } from './path.ts';
import { visibleName } from './text.ts';

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
  })
  .meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof createdKey>;

/** A key in a listing (interface: access, Key management). */
export const keyRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    metadata: z.object({ actorType, workspaceId: z.string().optional() }),
    createdAt: isoTime,
    expiresAt: isoTime.nullable(),
    lastUsedAt: isoTime.nullable().meta({ description: 'Sampled every few minutes.' }),
  })
  .meta({ id: 'Key' });
export type KeyRecord = z.infer<typeof keyRecord>;

export const keyList = z.object({ keys: z.array(keyRecord) }).meta({ id: 'KeyList' });

export const revokedKey = z.object({ ok: z.literal(true) }).meta({ id: 'RevokedKey' });
