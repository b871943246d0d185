import { routes } from '@stoa/contract';
import { iconOfAddress } from '../../../records/icon-address.ts';
import { workspaceRecord } from '../../../records/workspace-record.ts';
import { updateWorkspace } from '../../../service/workspaces/update-workspace.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const updateWorkspaceOperation = operation(routes.updateWorkspace, async ({ deps, access, body }) => {
  const { name, icon, color, theme, themeCss } = body;
  const updated = await updateWorkspace(deps.service, access, {
    ...(name === undefined ? {} : { name }),
    ...(icon === undefined ? {} : { icon: iconOfAddress(deps.baseUrl, access.workspace.id, icon) }),
    ...(color === undefined ? {} : { color }),
    ...(theme === undefined ? {} : { theme }),
    ...(themeCss === undefined ? {} : { themeCss }),
  });
  return json(200, workspaceRecord(deps, updated));
});
