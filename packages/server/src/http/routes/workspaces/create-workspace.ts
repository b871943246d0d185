import { routes } from '@stoa/contract';
import { workspaceRecord } from '../../../records/workspace-record.ts';
import { createWorkspace } from '../../../service/workspaces/create-workspace.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const createWorkspaceOperation = operation(routes.createWorkspace, async ({ deps, caller, body }) => {
  const { name, icon = null, color = null } = body;
  const created = await createWorkspace(deps.service, caller, { name, icon, color });
  return json(200, { ...workspaceRecord(deps, created), role: 'owner' });
});
