import { routes } from '@stoa/contract';
import { readShareViews } from '../../../service/shares/read-share-views.ts';
import { readUsage } from '../../../service/workspaces/read-usage.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const readUsageOperation = operation(routes.readUsage, async ({ deps, access }) => {
  const { plan, lapsed, ...usage } = await readUsage(deps.service, access);
  return json(200, {
    ...usage,
    shareViews: await readShareViews(deps.service, access),
    billing: { plan, status: lapsed ? 'lapsed' : 'active' },
  });
});
