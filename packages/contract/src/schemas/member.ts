import { memberRoles } from '@stoa/core';
import { z } from 'zod';
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
export type MemberList = z.infer<typeof memberList>;

export const changeRoleBody = z
  .object({
    role: z.enum(memberRoles, { error: `must be one of ${memberRoles.join(', ')}` }),
  })
  .meta({ id: 'ChangeRole' });
export type ChangeRoleBody = z.output<typeof changeRoleBody>;

export const changedMember = z.object({ member: memberRecord }).meta({ id: 'ChangedMember' });
export type ChangedMember = z.infer<typeof changedMember>;
