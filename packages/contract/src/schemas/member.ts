import { departedPageDefault, departedPageMax, memberRoles } from '@stoa/core';
import { z } from 'zod';
import { nodeKind } from './node.ts';
import { pathInAnswer, requestPath } from './path.ts';
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

export const departedQuery = z.object({
  after: requestPath('Items after this path: `nextAfter` of the previous page.').optional(),
  limit: pageSize(
    { min: 1, max: departedPageMax, otherwise: departedPageDefault },
    `Number of items; above ${departedPageMax} counts as ${departedPageMax}.`,
  ),
});

export const departedItem = z
  .object({
    path: pathInAnswer,
    kind: nodeKind,
    owner: z
      .object({ id: z.string(), name: z.string() })
      .meta({ description: 'The former member. The name is empty if the account is gone.' }),
  })
  .meta({ id: 'DepartedItem' });
export type DepartedItem = z.infer<typeof departedItem>;

export const departedItems = z
  .object({
    items: z.array(departedItem),
    nextAfter: pathInAnswer.nullable().meta({ description: 'Where the next page begins; null on the last.' }),
  })
  .meta({ id: 'DepartedItems' });
export type DepartedItems = z.infer<typeof departedItems>;

export const reclaimDepartedBody = z
  .object({
    path: requestPath('An item of the list.'),
    toUserId: z
      .string({ error: 'must be the id of a member' })
      .optional()
      .meta({ description: 'The member to whom the item becomes private. Default: shared with all.' }),
  })
  .meta({ id: 'ReclaimDeparted' });
export type ReclaimDepartedInput = z.input<typeof reclaimDepartedBody>;

export const reclaimedItem = z
  .object({
    ok: z.literal(true),
    path: pathInAnswer,
    kind: nodeKind,
    ownerId: z.string().nullable().meta({ description: 'The member whose item it is now; null: shared.' }),
  })
  .meta({ id: 'ReclaimedItem' });
export type ReclaimedItem = z.infer<typeof reclaimedItem>;
