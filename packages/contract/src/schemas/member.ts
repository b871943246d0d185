import { formerMemberPageDefault, formerMemberPageMax, memberRoles } from '@stoa/core';
import { z } from 'zod';
import { nodeKind } from './node.ts';
import { pathInResponse, requestPath } from './path.ts';
import { pageSize } from './query-values.ts';
import { memberRole } from './workspace.ts';

/** A member as others see them (interface: members, Member). No e-mail address. */
export const memberRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    image: z.string().meta({ description: 'An address, or empty.' }),
    role: memberRole,
  })
  .meta({ id: 'Member' });
export type MemberRecord = z.infer<typeof memberRecord>;

export const memberList = z.object({ members: z.array(memberRecord) }).meta({ id: 'MemberList' });

export const changeRoleBody = z
  .object({
    role: z.enum(memberRoles, { error: `must be one of ${memberRoles.join(', ')}` }),
  })
  .meta({ id: 'ChangeRole' });

export const changedMember = z.object({ member: memberRecord }).meta({ id: 'ChangedMember' });

export const formerMemberQuery = z.object({
  after: requestPath('Items after this path: `nextAfter` of the previous page.').optional(),
  limit: pageSize(
    { min: 1, max: formerMemberPageMax, otherwise: formerMemberPageDefault },
    `Number of items; above ${formerMemberPageMax} counts as ${formerMemberPageMax}.`,
  ),
});

export const formerMemberItem = z
  .object({
    path: pathInResponse,
    kind: nodeKind,
    owner: z
      .object({ id: z.string(), name: z.string() })
      .meta({ description: 'The former member. The name is empty if the account is gone.' }),
  })
  .meta({ id: 'DepartedItem' });
export type FormerMemberItem = z.infer<typeof formerMemberItem>;

export const formerMemberItems = z
  .object({
    items: z.array(formerMemberItem),
    nextAfter: pathInResponse
      .nullable()
      .meta({ description: 'Where the next page begins; null on the last.' }),
  })
  .meta({ id: 'DepartedItems' });
export type FormerMemberItems = z.infer<typeof formerMemberItems>;

export const reclaimFromFormerMemberBody = z
  .object({
    path: requestPath('An item of the list.'),
    toUserId: z
      .string({ error: 'must be the id of a member' })
      .optional()
      .meta({ description: 'The member to whom the item becomes private. Default: shared with all.' }),
  })
  .meta({ id: 'ReclaimDeparted' });
export type ReclaimFromFormerMemberInput = z.input<typeof reclaimFromFormerMemberBody>;

export const reclaimedItem = z
  .object({
    ok: z.literal(true),
    path: pathInResponse,
    kind: nodeKind,
    ownerId: z.string().nullable().meta({ description: 'The member whose item it is now; null: shared.' }),
  })
  .meta({ id: 'ReclaimedItem' });
export type ReclaimedItem = z.infer<typeof reclaimedItem>;
