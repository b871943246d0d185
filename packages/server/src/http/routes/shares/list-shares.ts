import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { shareRecord } from '../../../records/share-record.ts';
import { listAllShares, listShares } from '../../../service/shares/list-shares.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listSharesOperation = operation(routes.listShares, async ({ deps, access, query }) => {
  if (query.path === undefined) {
    const { shares, truncated } = await listAllShares(deps.service, access);
    return json(200, { shares: shares.map((share) => shareRecord(deps, share)), inherited: [], truncated });
  }
  const found = await listShares(deps.service, access, parseWorkspacePath(query.path));
  return json(200, {
    shares: found.shares.map((share) => shareRecord(deps, share)),
    inherited: found.inherited.map((share) => shareRecord(deps, share)),
  });
});
