import { routes } from '@stoa/contract';
import { changeRole } from '../../../service/members/change-role.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';
import { memberRecord } from './member-record.ts';

export const changeRoleOperation = operation(routes.changeRole, async ({ deps, access, params, body }) => {
  const member = await changeRole(deps.service, access, { userId: params.userId, role: body.role });
  return json(200, { member: memberRecord(member) });
});
