import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { shareRecord } from '../../records/share-record.ts';
import { createShare } from '../../service/shares/create-share.ts';
import { workspaceTool } from '../tool.ts';

export const createShareTool = workspaceTool(
  tools.createShare,
  async ({ deps, access: workspaceAccess, input }) => {
    const wanted = {
      path: parseWorkspacePath(input.path),
      kind: input.kind,
      access: input.access,
      password: null,
      pinnedVersion: null,
      pinnedContentHash: null,
      allowScripts: false,
    };
    const share = await createShare(deps.service, workspaceAccess, wanted, hashNothing);
    const { id, path, access, memberUrl } = shareRecord(deps, share);
    return {
      text: `Members of the workspace can open ${path} at ${memberUrl} (access ${access}, share id ${id}).`,
      data: { id, path, access, memberUrl },
    };
  },
);

/** Links of this tool have no password. */
function hashNothing(): Promise<string> {
  throw new Error('a link without a password has nothing to hash');
}
