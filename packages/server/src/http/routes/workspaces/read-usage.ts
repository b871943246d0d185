import { routes } from '@stoa/contract';
import { readUsage } from '../../../service/workspaces/read-usage.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

/** There are no share links yet, so nothing was viewed through one. */
const noShareViews = { total: 0, last30Days: 0 };

export const readUsageOperation = operation(routes.readUsage, ({ deps, access }) => {
  const { plan, lapsed, ...usage } = readUsage(deps.service, access);
  return json(200, {
    ...usage,
    shareViews: noShareViews,
    billing: { plan, status: lapsed ? 'lapsed' : 'active' },
  });
});
