import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { reclaimDeparted } from '../../../service/privacy/reclaim-departed.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const reclaimDepartedPrivateOperation = operation(
  routes.reclaimDepartedPrivate,
  async ({ deps, access, body }) => {
    const path = parseWorkspacePath(body.path);
    const toUserId = body.toUserId ?? null;
    const kind = await reclaimDeparted(deps.service, access, { path, toUserId });
    return json(200, { ok: true, path, kind, ownerId: toUserId });
  },
);
