import { tools } from '@stoa/contract';
import { createWorkspace } from '../../service/workspaces/create-workspace.ts';
import { accountTool } from '../tool.ts';

export const createWorkspaceTool = accountTool(tools.createWorkspace, async ({ deps, caller, input }) => {
  const { id, name } = await createWorkspace(deps.service, caller, {
    name: input.name,
    icon: input.icon ?? null,
    color: input.color ?? null,
  });
  return { text: `Created the workspace ${name}. Its workspaceId is ${id}.`, data: { id, name } };
});
