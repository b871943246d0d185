import { quotaExceededBody, routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { restoreFile } from '../../../service/files/restore-file.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const restoreFileOperation = operation(routes.restoreFile, async ({ deps, access, body }) => {
  const { targetVersion, contentHash = null } = body;
  const path = parseWorkspacePath(body.path);
  const outcome = await restoreFile(deps.service, access, { path, version: targetVersion, contentHash });
  switch (outcome.kind) {
    case 'restored':
      return json(200, { path: outcome.path, version: outcome.version, restoredFrom: targetVersion });
    case 'conflict':
      throw new Error('a restore without a base cannot be stale');
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return json(507, quotaExceededBody(outcome));
  }
});
