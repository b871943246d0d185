import { defineRoute } from '../route.ts';
import {
  changedMember,
  changeRoleBody,
  formerMemberItems,
  formerMemberQuery,
  memberList,
  reclaimedItem,
  reclaimFromFormerMemberBody,
} from '../schemas/member.ts';

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
    'Owners and admins remove members, only owners an owner; anyone may remove themselves. From the next request on, the',
    'person has no access: their keys for this workspace are deleted, and other keys are rejected here. Items that they made',
    'private stay private.',
  ].join(' '),
  responses: { 204: { description: 'No longer a member.' } },
  errors: ['forbidden_role', 'member_not_found', 'last_owner'],
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
  errors: ['forbidden_role', 'member_not_found', 'last_owner'],
});

export const listDepartedPrivate = defineRoute({
  id: 'listDepartedPrivate',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/departed-private',
  access: 'workspace-session',
  tag: 'Members',
  summary: 'List private items of people who have left',
  description: 'For owners. Ordered by path; without items of people who came back.',
  query: formerMemberQuery,
  responses: { 200: { description: 'A page of the items.', body: formerMemberItems } },
  errors: ['forbidden_role', 'invalid_path'],
});

export const reclaimDepartedPrivate = defineRoute({
  id: 'reclaimDepartedPrivate',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/departed-private/reclaim',
  access: 'workspace-session',
  tag: 'Members',
  summary: 'Take over a private item of a former member',
  description: 'For owners. The item is shared with every member, or made private to one of them.',
  body: reclaimFromFormerMemberBody,
  responses: { 200: { description: 'As it is now.', body: reclaimedItem } },
  errors: ['forbidden_role', 'invalid_path', 'file_not_found', 'member_not_found'],
});
