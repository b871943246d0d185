import { routes } from '@stoa/contract';
import { revokeInvite } from '../../../service/invites/revoke-invite.ts';
import { operation } from '../../operation.ts';

export const revokeInviteOperation = operation(routes.revokeInvite, async ({ deps, access, params }) => {
  await revokeInvite(deps.service, access, params.inviteId);
  return { kind: 'empty', status: 204 };
});
