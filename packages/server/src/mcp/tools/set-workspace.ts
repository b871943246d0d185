import { tools } from '@stoa/contract';
import { iconOfAddress } from '../../records/icon-address.ts';
import { workspaceRecord } from '../../records/workspace-record.ts';
import { updateWorkspace } from '../../service/workspaces/update-workspace.ts';
import { workspaceTool } from '../tool.ts';

export const setWorkspaceTool = workspaceTool(tools.setWorkspace, async ({ deps, access, input }) => {
  const updated = await updateWorkspace(deps.service, access, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.icon === undefined
      ? {}
      : { icon: iconOfAddress(deps.baseUrl, access.workspace.id, input.icon) }),
    ...(input.color === undefined ? {} : { color: input.color }),
    ...(input.theme === undefined ? {} : { theme: input.theme }),
  });
  const { id, name, icon, color, theme } = workspaceRecord(deps, updated);
  return {
    text: `The workspace ${name} (${id}) has icon ${icon ?? 'none'}, color ${color ?? 'none'}, theme ${theme ?? 'none'}.`,
    data: { id, name, icon, color, theme },
  };
});
