import { type MoveBody, routes, versionConflictBody } from '@stoa/contract';
import { parseWorkspacePath, type SeenVersion } from '@stoa/core';
import { moveFile } from '../../../service/files/move-file.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const moveFileOperation = operation(routes.moveFile, async ({ deps, access, body }) => {
  const outcome = await moveFile(deps.service, access, {
    from: parseWorkspacePath(body.from),
    to: parseWorkspacePath(body.to),
    base: baseOf(body),
  });
  switch (outcome.kind) {
    case 'moved':
      return json(200, { path: outcome.path, version: outcome.version });
    case 'conflict':
      return json(412, versionConflictBody(outcome));
  }
});

function baseOf({ baseVersion, baseContentHash }: MoveBody): SeenVersion | null {
  return baseVersion === undefined ? null : { version: baseVersion, contentHash: baseContentHash ?? null };
}
