import { routes } from '@stoa/contract';
import { requireOwnWorkspace } from '../../../service/workspaces/list-workspaces.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const findOwnWorkspaceOperation = operation(routes.findOwnWorkspace, async ({ deps, caller }) => {
  const { id, name } = await requireOwnWorkspace(deps.service, caller);
  return json(200, { id, name });
});
