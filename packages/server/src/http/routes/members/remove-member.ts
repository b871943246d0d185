import { routes } from '@stoa/contract';
import { removeMember } from '../../../service/members/remove-member.ts';
import { operation } from '../../operation.ts';

export const removeMemberOperation = operation(routes.removeMember, async ({ deps, access, params }) => {
  await removeMember(deps.service, access, params.userId);
  return { kind: 'empty', status: 204 };
});
