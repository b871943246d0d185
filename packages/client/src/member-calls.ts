import type {
  AcceptedInvite,
  ChangedMember,
  CreatedInvite,
  CreateInviteInput,
  InviteList,
  InvitePreview,
  MemberRecord,
} from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { emptyAnswerOf } from './empty-answer-of.ts';
import { encodeSegment } from './encode-path.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** Who belongs to a workspace, and who may join. With a session only, but for `previewInvite`. Refusals throw `StoaApiError`. */
export interface MemberCalls {
  /** With one's own id: leaves. */
  removeMember(workspaceId: string, userId: string, options?: CallOptions): Promise<void>;
  changeRole(
    workspaceId: string,
    userId: string,
    role: MemberRecord['role'],
    options?: CallOptions,
  ): Promise<ChangedMember>;
  createInvite(invite: CreateInviteInput, options?: CallOptions): Promise<CreatedInvite>;
  /** `token` is the last segment of the invite's address. */
  previewInvite(token: string, options?: CallOptions): Promise<InvitePreview>;
  acceptInvite(token: string, options?: CallOptions): Promise<AcceptedInvite>;
  listInvites(workspaceId: string, options?: CallOptions): Promise<InviteList>;
  revokeInvite(workspaceId: string, inviteId: string, options?: CallOptions): Promise<void>;
}

export function memberCalls(transport: Transport): MemberCalls {
  const memberUrl = (workspaceId: string, userId: string) =>
    workspaceUrl(workspaceId, `members/${encodeSegment(userId)}`);
  const inviteUrl = (token: string) => `/api/invites/${encodeSegment(token)}`;
  return {
    removeMember: async (workspaceId, userId, options = {}) =>
      emptyAnswerOf(transport, { method: 'DELETE', path: memberUrl(workspaceId, userId), ...options }),
    changeRole: async (workspaceId, userId, role, options = {}) =>
      answerOf<ChangedMember>(transport, {
        method: 'PATCH',
        path: memberUrl(workspaceId, userId),
        body: { kind: 'json', value: { role } },
        ...options,
      }),
    createInvite: async (value, options = {}) =>
      answerOf<CreatedInvite>(transport, {
        method: 'POST',
        path: '/api/invites',
        body: { kind: 'json', value },
        ...options,
      }),
    previewInvite: async (token, options = {}) =>
      answerOf<InvitePreview>(transport, { method: 'GET', path: inviteUrl(token), ...options }),
    acceptInvite: async (token, options = {}) =>
      answerOf<AcceptedInvite>(transport, { method: 'POST', path: `${inviteUrl(token)}/accept`, ...options }),
    listInvites: async (workspaceId, options = {}) =>
      answerOf<InviteList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'invites'),
        ...options,
      }),
    revokeInvite: async (workspaceId, inviteId, options = {}) =>
      emptyAnswerOf(transport, {
        method: 'DELETE',
        path: workspaceUrl(workspaceId, `invites/${encodeSegment(inviteId)}`),
        ...options,
      }),
  };
}
