import { z } from 'zod';
import { memberRole } from './workspace.ts';

/** Specification: Resources, Member. No e-mail address. */
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
