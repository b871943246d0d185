import { tools } from '@stoa/contract';
import { listWorkspaces } from '../../service/workspaces/list-workspaces.ts';
import { accountTool } from '../tool.ts';

export const listWorkspacesTool = accountTool(tools.listWorkspaces, async ({ deps, caller }) => {
  const found = await listWorkspaces(deps.service, caller);
  const workspaces = found.map(({ workspace: { id, name } }) => ({ id, name }));
  const lines = workspaces.map(({ id, name }) => `${id}\t${name}`);
  if (workspaces.length === 0) {
    const next = 'create_workspace makes one.';
    return { text: `No workspaces yet: ${next}`, data: { workspaces, next } };
  }
  return { text: lines.join('\n'), data: { workspaces } };
});
