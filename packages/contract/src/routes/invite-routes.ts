import { defineRoute } from '../route.ts';
import {
  acceptedInvite,
  createdInvite,
  createInviteBody,
  inviteList,
  invitePreview,
} from '../schemas/invite.ts';

const token = { token: "The last segment of the invite's address." };

export const createInvite = defineRoute({
  id: 'createInvite',
  method: 'POST',
  path: '/api/invites',
  access: 'session',
  tag: 'Members',
  summary: 'Make an invite link',
  description:
    'For owners and admins. Anyone with the link can join as a member, and sign up where sign-up is by invite.',
  body: createInviteBody,
  responses: { 200: { description: 'The link. It is shown only here.', body: createdInvite } },
  errors: ['workspace_not_found', 'not_a_member', 'forbidden_role', 'too_many_invites'],
});

export const previewInvite = defineRoute({
  id: 'previewInvite',
  method: 'GET',
  path: '/api/invites/{token}',
  params: token,
  access: 'none',
  tag: 'Members',
  summary: 'Preview an invite',
  responses: { 200: { description: 'The link works.', body: invitePreview } },
  errors: ['invite_not_found', 'invite_gone'],
});

export const acceptInvite = defineRoute({
  id: 'acceptInvite',
  method: 'POST',
  path: '/api/invites/{token}/accept',
  params: token,
  access: 'session',
  tag: 'Members',
  summary: 'Join a workspace by its invite link',
  description: 'Safe to repeat: a member who accepts again uses up nothing.',
  responses: { 200: { description: 'You are a member.', body: acceptedInvite } },
  errors: ['invite_not_found', 'invite_gone'],
});

export const listInvites = defineRoute({
  id: 'listInvites',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/invites',
  access: 'workspace-session',
  tag: 'Members',
  summary: 'List the invites of a workspace',
  description: 'For owners and admins. The links themselves are never shown again.',
  responses: { 200: { description: 'Newest first.', body: inviteList } },
  errors: ['forbidden_role'],
});

export const revokeInvite = defineRoute({
  id: 'revokeInvite',
  method: 'DELETE',
  path: '/api/workspaces/{workspaceId}/invites/{inviteId}',
  params: { inviteId: "The invite's id, not its token." },
  access: 'workspace-session',
  tag: 'Members',
  summary: 'End an invite link',
  description: 'For owners and admins. People who joined by it stay members.',
  responses: { 204: { description: 'The link is unknown from now on.' } },
  errors: ['forbidden_role', 'invite_not_found'],
});
