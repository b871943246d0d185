import { routes } from '@stoa/contract';
import { memberRecord } from '../../../records/member-record.ts';
import { listMembers } from '../../../service/members/list-members.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listMembersOperation = operation(routes.listMembers, async ({ deps, access }) => {
  const members = await listMembers(deps.service, access);
  return json(200, { members: members.map(memberRecord) });
});
