import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { shareRecord } from '../../records/share-record.ts';
import { listShares } from '../../service/shares/list-shares.ts';
import { counted } from '../counted.ts';
import { workspaceTool } from '../tool.ts';

export const listSharesTool = workspaceTool(tools.listShares, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const found = await listShares(deps.service, access, path);
  const shares = found.shares.map((share) => shareRecord(deps, share));
  const summary = `${counted(shares.length, 'active link')} to ${path}.`;
  if (shares.length === 0) {
    const next = 'create_share makes a link for members.';
    return { text: `${summary} ${next}`, data: { shares, next } };
  }
  return { text: [summary, JSON.stringify(shares)], data: { shares } };
});
