import { routes } from '@stoa/contract';
import { acceptInvite } from '../../../service/invites/accept-invite.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const acceptInviteOperation = operation(routes.acceptInvite, async ({ deps, caller, params }) =>
  json(200, await acceptInvite(deps.service, caller, params.token)),
);
