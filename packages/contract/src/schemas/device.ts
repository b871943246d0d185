import {
  deviceCodeLifetimeSeconds,
  devicePollIntervalSeconds,
  principalOf,
  principals,
  workspaceKeyName,
} from '@stoa/core';
import { z } from 'zod';
import { keyNameMaxCharacters } from '../limits.ts';
import { narrowing } from './key.ts';
import { isoTime } from './path.ts';
import { visibleName } from './text.ts';

/** The response to a device that asks for a key (interface: device-flow). Names on the wire are those of RFC 8628. */
export const deviceCode = z
  .object({
    device_code: z.string().meta({ description: "The device's secret for polls. Never shown to users." }),
    user_code: z.string().meta({ description: 'For the user to compare: two groups of four.' }),
    verification_uri: z.string(),
    verification_uri_complete: z.string().meta({ description: 'With the code filled in.' }),
    expires_in: z.literal(deviceCodeLifetimeSeconds).meta({ description: 'Seconds.' }),
    interval: z.literal(devicePollIntervalSeconds).meta({ description: 'Seconds between polls.' }),
  })
  .meta({ id: 'DeviceCode' });
export type DeviceCode = z.infer<typeof deviceCode>;

/** A missing or empty `device_code` is rejected with its own text. */
export const devicePollQuery = z.object({
  device_code: z
    .string({ error: 'must be one device code' })
    .optional()
    .meta({ description: 'Required: without it the response is 400 `device_code required`.' }),
});

export const devicePoll = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('pending') }),
    z.object({
      status: z.literal('approved'),
      api_key: z.string().meta({ description: 'The secret. Delivered once.' }),
      api_key_id: z.string(),
      workspace_id: z.string().meta({ description: 'The one workspace that the key reaches.' }),
      api_base: z.string().meta({ description: 'The address of the API.' }),
    }),
  ])
  .meta({ id: 'DevicePoll' });
export type DevicePoll = z.infer<typeof devicePoll>;

const userCode = z
  .string({ error: 'must be the code that the device shows' })
  .meta({ description: 'As typed: case, hyphens and spaces do not matter.' });

export const userCodeBody = z.object({ userCode }).meta({ id: 'UserCode' });

export const deviceRequest = z
  .object({
    userCode: z.string(),
    status: z.enum(['pending', 'approved']),
    clientAddress: z.string().meta({ description: 'The address that the request came from.' }),
    userAgent: z.string().meta({ description: "The device's own description; may be empty." }),
    createdAt: isoTime,
    expiresAt: isoTime,
    workspaceId: z.string().nullable().meta({ description: 'Once approved.' }),
  })
  .meta({ id: 'DeviceRequest' });
export type DeviceRequest = z.infer<typeof deviceRequest>;

export const approveDeviceBody = z
  .object({
    userCode,
    workspaceId: z
      .string({ error: 'must be the id of a workspace' })
      .min(1, { error: 'must be the id of a workspace' }),
    name: visibleName({ min: 1, max: keyNameMaxCharacters }, `By default ${workspaceKeyName}.`).optional(),
    actorType: z
      .unknown()
      .transform(principalOf)
      .meta({ type: 'string', enum: [...principals], description: 'Any value except agent counts as human.' })
      .optional(),
    ...narrowing,
  })
  .meta({ id: 'ApproveDevice' });
/** The type of `actorType` is narrower than the accepted input. */
export type ApproveDeviceInput = z.output<typeof approveDeviceBody>;

export const approvedDevice = z
  .object({ status: z.literal('approved'), keyId: z.string(), workspaceId: z.string() })
  .meta({ id: 'ApprovedDevice' });
export type ApprovedDevice = z.infer<typeof approvedDevice>;

export const deniedDevice = z.object({ status: z.literal('denied') }).meta({ id: 'DeniedDevice' });
export type DeniedDevice = z.infer<typeof deniedDevice>;
