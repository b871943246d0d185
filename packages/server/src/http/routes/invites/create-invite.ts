import { type CreatedInvite, routes } from '@stoa/contract';
import { createInvite } from '../../../service/invites/create-invite.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const createInviteOperation = operation(routes.createInvite, async ({ deps, caller, body }) => {
  const { invite, token } = await createInvite(deps.service, caller, body);
  const response: CreatedInvite = {
    id: invite.id,
    url: `${deps.appUrl}/invite/${token}`,
    expiresAt: new Date(invite.expiresAt).toISOString(),
    maxUses: invite.maxUses,
  };
  return json(200, response);
});
