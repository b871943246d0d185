import { quotaExceededBody, routes, unmergedConflictBody } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { resolveConflict } from '../../../service/conflicts/resolve-conflict.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const resolveConflictOperation = operation(routes.resolveConflict, async ({ deps, access, body }) => {
  const copy = parseWorkspacePath(body.copy);
  const outcome = await resolveConflict(deps.service, access, { copy, keep: body.keep });
  switch (outcome.kind) {
    case 'resolved': {
      const { path, version, merged } = outcome;
      return json(200, { ok: true, path, version, merged });
    }
    case 'overlapping':
      return json(409, unmergedConflictBody(outcome.overlaps));
    case 'no_base':
      return json(409, { ok: false, error: 'no_base' });
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return json(507, quotaExceededBody(outcome));
  }
});
