import { type InviteRecord, routes } from '@stoa/contract';
import { isInviteOpen } from '@stoa/core';
import { listInvites } from '../../../service/invites/list-invites.ts';
import type { InviteWithMaker } from '../../../service/ports/invites.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listInvitesOperation = operation(routes.listInvites, async ({ deps, access }) => {
  const invites = await listInvites(deps.service, access);
  const now = deps.service.clock();
  return json(200, { invites: invites.map((invite) => inviteRecord(invite, now)) });
});

function inviteRecord(invite: InviteWithMaker, now: number): InviteRecord {
  const { id, createdBy, makerName, makerImage, createdAt, expiresAt, maxUses, usesLeft } = invite;
  return {
    id,
    invitedBy: { id: createdBy, name: makerName, image: makerImage },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    maxUses,
    usesLeft,
    valid: isInviteOpen(invite, now),
  };
}
