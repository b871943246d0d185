import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { setNodePrivate } from '../../../service/nodes/set-node-private.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const setNodePrivateOperation = operation(routes.setNodePrivate, async ({ deps, access, body }) => {
  const { kind } = body;
  const path = parseWorkspacePath(body.path);
  await setNodePrivate(deps.service, access, { path, kind, private: body.private });
  return json(200, { ok: true, path, kind, private: body.private });
});
