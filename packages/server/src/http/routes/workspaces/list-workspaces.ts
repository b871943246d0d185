import { routes } from '@stoa/contract';
import { workspaceRecord } from '../../../records/workspace-record.ts';
import { listWorkspaces } from '../../../service/workspaces/list-workspaces.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listWorkspacesOperation = operation(routes.listWorkspaces, async ({ deps, caller }) => {
  const workspaces = await listWorkspaces(deps.service, caller);
  return json(200, {
    workspaces: workspaces.map(({ workspace, role }) => ({ ...workspaceRecord(deps, workspace), role })),
  });
});
