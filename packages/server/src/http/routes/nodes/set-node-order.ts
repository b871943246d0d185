import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { setNodeOrder } from '../../../service/nodes/set-node-order.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const setNodeOrderOperation = operation(routes.setNodeOrder, async ({ deps, access, body }) => {
  const orders = await setNodeOrder(deps.service, access, { paths: body.paths.map(parseWorkspacePath) });
  return json(200, { ok: true, orders: Object.fromEntries(orders) });
});
