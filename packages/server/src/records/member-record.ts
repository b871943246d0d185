import type { MemberRecord } from '@stoa/contract';
import type { MemberRow } from '../service/ports/members.ts';

/** Returns a member as other members see them (interface: members, Member). */
export function memberRecord({ userId, name, image, role }: MemberRow): MemberRecord {
  return { id: userId, name, image, role };
}
