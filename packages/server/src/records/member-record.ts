import type { MemberRecord } from '@stoa/contract';
import type { MemberRow } from '../service/ports/members.ts';

/** A member as they are shown to the others (interface: members, Member). */
export function memberRecord({ userId, name, image, role }: MemberRow): MemberRecord {
  return { id: userId, name, image, role };
}
