import { inviteDaysDefault, inviteDaysMax, inviteUsesMax } from '@stoa/core';
import { z } from 'zod';
import { isoTime } from './path.ts';
import { memberRole, workspaceColor } from './workspace.ts';

export const createInviteBody = z
  .object({
    workspaceId: z
      .string({ error: 'must be the id of a workspace' })
      .min(1, { error: 'must be the id of a workspace' }),
    expiresInDays: wholeNumberOf({ max: inviteDaysMax })
      .default(inviteDaysDefault)
      .meta({ description: 'In days from now.' }),
    maxUses: wholeNumberOf({ max: inviteUsesMax })
      .optional()
      .meta({ description: 'Number of people who may join with it. Default: unlimited.' }),
  })
  .meta({ id: 'CreateInvite' });
export type CreateInviteInput = z.input<typeof createInviteBody>;

const maxUses = z.int().nullable().meta({ description: 'Null: unlimited.' });

/** A new invite, as its maker sees it (interface: members, Invites). */
export const createdInvite = z
  .object({
    id: z.string(),
    url: z.url().meta({ description: 'To send to people. Its last segment is the token. Shown only here.' }),
    expiresAt: isoTime,
    maxUses,
  })
  .meta({ id: 'CreatedInvite' });
export type CreatedInvite = z.infer<typeof createdInvite>;

const maker = z.object({
  name: z.string(),
  image: z.string().meta({ description: 'An address, or empty.' }),
});

export const invitePreview = z
  .object({
    workspace: z.object({
      id: z.string(),
      name: z.string(),
      icon: z
        .string()
        .nullable()
        .meta({ description: 'Null also for an uploaded image, which is for members.' }),
      color: workspaceColor.nullable(),
    }),
    invitedBy: maker,
    expiresAt: isoTime,
    valid: z.literal(true).meta({ description: 'A link that no longer works is rejected instead.' }),
  })
  .meta({ id: 'InvitePreview' });
export type InvitePreview = z.infer<typeof invitePreview>;

export const acceptedInvite = z
  .object({
    workspaceId: z.string(),
    role: memberRole,
    alreadyMember: z.boolean().meta({ description: 'True: nothing changed, and no use was counted.' }),
  })
  .meta({ id: 'AcceptedInvite' });
export type AcceptedInvite = z.infer<typeof acceptedInvite>;

export const inviteRecord = z
  .object({
    id: z.string(),
    invitedBy: maker.extend({ id: z.string() }),
    createdAt: isoTime,
    expiresAt: isoTime,
    maxUses,
    usesLeft: z.int().nullable(),
    valid: z.boolean().meta({ description: 'False once it has expired or is used up.' }),
  })
  .meta({ id: 'Invite' });
export type InviteRecord = z.infer<typeof inviteRecord>;

export const inviteList = z.object({ invites: z.array(inviteRecord) }).meta({ id: 'InviteList' });

function wholeNumberOf({ max }: { readonly max: number }) {
  const expected = `must be a whole number from 1 to ${max}`;
  return z.int({ error: expected }).min(1, { error: expected }).max(max, { error: expected });
}
