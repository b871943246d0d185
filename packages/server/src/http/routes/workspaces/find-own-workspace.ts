import { routes } from '@stoa/contract';
import { findOwnKey, requireOwnWorkspace } from '../../../service/workspaces/list-workspaces.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';
import { narrownessOf } from '../keys/narrowness.ts';

export const findOwnWorkspaceOperation = operation(routes.findOwnWorkspace, async ({ deps, caller }) => {
  const { id, name } = await requireOwnWorkspace(deps.service, caller);
  const key = await findOwnKey(deps.service, caller);
  const narrow = key === null ? {} : narrownessOf(key);
  return json(200, Object.keys(narrow).length === 0 ? { id, name } : { id, name, key: narrow });
});
