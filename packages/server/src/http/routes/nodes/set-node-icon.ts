import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { setNodeIcon } from '../../../service/nodes/set-node-icon.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const setNodeIconOperation = operation(routes.setNodeIcon, async ({ deps, access, body }) => {
  const { icon } = body;
  const path = parseWorkspacePath(body.path);
  await setNodeIcon(deps.service, access, { path, icon });
  return json(200, { ok: true, path, icon });
});
