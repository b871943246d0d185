import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { moveFolder } from '../../../service/files/move-folder.ts';
import { moveFolderFiles } from '../../../service/files/move-folder-files.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const moveFolderOperation = operation(routes.moveFolder, async ({ deps, access, body }) => {
  const from = parseWorkspacePath(body.from);
  const to = parseWorkspacePath(body.to);
  if (body.files === true) {
    const files = await moveFolderFiles(deps.service, access, { from, to });
    return json(200, { ok: true, from, to, files });
  }
  await moveFolder(deps.service, access, { from, to });
  return json(200, { ok: true, from, to });
});
