import { tools } from '@stoa/contract';
import { iconOfAddress } from '../../records/icon-address.ts';
import { workspaceRecord } from '../../records/workspace-record.ts';
import { updateWorkspace } from '../../service/workspaces/update-workspace.ts';
import { workspaceTool } from '../tool.ts';

export const setWorkspaceTool = workspaceTool(tools.setWorkspace, async ({ deps, access, input }) => {
  const wanted = { ...input };
  const updated = await updateWorkspace(deps.service, access, {
    ...(wanted.name === undefined ? {} : { name: wanted.name }),
    ...(wanted.icon === undefined
      ? {}
      : { icon: iconOfAddress(deps.baseUrl, access.workspace.id, wanted.icon) }),
    ...(wanted.color === undefined ? {} : { color: wanted.color }),
    ...(wanted.theme === undefined ? {} : { theme: wanted.theme }),
  });
  const { id, name, icon, color, theme } = workspaceRecord(deps, updated);
  return {
    text: `The workspace ${name} (${id}) has icon ${icon ?? 'none'}, color ${color ?? 'none'}, theme ${theme ?? 'none'}.`,
    data: { id, name, icon, color, theme },
  };
});
