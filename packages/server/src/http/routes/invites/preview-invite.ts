import { type InvitePreview, routes } from '@stoa/contract';
import { imageHashOf } from '@stoa/core';
import { previewInvite } from '../../../service/invites/preview-invite.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const previewInviteOperation = operation(routes.previewInvite, async ({ deps, params }) => {
  const { invite, workspace } = await previewInvite(deps.service, params.token);
  const { id, name, icon, color } = workspace;
  const response: InvitePreview = {
    workspace: { id, name, icon: imageHashOf(icon) === null ? icon : null, color },
    invitedBy: { name: invite.makerName, image: invite.makerImage },
    expiresAt: new Date(invite.expiresAt).toISOString(),
    valid: true,
  };
  return json(200, response);
});
