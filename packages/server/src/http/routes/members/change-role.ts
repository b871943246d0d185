import { routes } from '@stoa/contract';
import { memberRecord } from '../../../records/member-record.ts';
import { changeRole } from '../../../service/members/change-role.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const changeRoleOperation = operation(routes.changeRole, async ({ deps, access, params, body }) => {
  const member = await changeRole(deps.service, access, { userId: params.userId, role: body.role });
  return json(200, { member: memberRecord(member) });
});
