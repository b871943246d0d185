import { tools } from '@stoa/contract';
import { revokeShare } from '../../service/shares/revoke-share.ts';
import { workspaceTool } from '../tool.ts';

export const revokeShareTool = workspaceTool(tools.revokeShare, async ({ deps, access, input }) => {
  await revokeShare(deps.service, access, input.shareId);
  return { text: `The link ${input.shareId} is revoked: it no longer opens.` };
});
