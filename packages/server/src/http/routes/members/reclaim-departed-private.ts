import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { reclaimFromFormerMember } from '../../../service/privacy/reclaim-from-former-member.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const reclaimDepartedPrivateOperation = operation(
  routes.reclaimDepartedPrivate,
  async ({ deps, access, body }) => {
    const path = parseWorkspacePath(body.path);
    const toUserId = body.toUserId ?? null;
    const kind = await reclaimFromFormerMember(deps.service, access, { path, toUserId });
    return json(200, { ok: true, path, kind, ownerId: toUserId });
  },
);
