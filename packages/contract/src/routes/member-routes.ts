import { defineRoute } from '../route.ts';
import { changedMember, changeRoleBody, memberList } from '../schemas/member.ts';

const params = { userId: "The member's id." };

export const listMembers = defineRoute({
  id: 'listMembers',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/members',
  access: 'workspace',
  tag: 'Members',
  summary: 'List the members of a workspace',
  responses: { 200: { description: 'Owners first, then admins, then members.', body: memberList } },
});

export const removeMember = defineRoute({
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/workspaces/{workspaceId}/members/{userId}',
  params,
  access: 'workspace-session',
  tag: 'Members',
  summary: 'Remove a member, or leave',
  description: [
    'Owners and admins remove members, only owners an owner; anyone may remove themselves. From the next request on the',
    'person is no member: their keys for this workspace are deleted, and other keys are refused here. What they made',
    'private stays private.',
  ].join(' '),
  responses: { 204: { description: 'No longer a member.' } },
  refusals: ['forbidden_role', 'member_not_found', 'last_owner'],
});

export const changeRole = defineRoute({
  id: 'changeRole',
  method: 'PATCH',
  path: '/api/workspaces/{workspaceId}/members/{userId}',
  params,
  access: 'workspace-session',
  tag: 'Members',
  summary: 'Give a member another role',
  description: 'For owners. A workspace keeps at least one.',
  body: changeRoleBody,
  responses: { 200: { description: 'The member as they are now.', body: changedMember } },
  refusals: ['forbidden_role', 'member_not_found', 'last_owner'],
});
