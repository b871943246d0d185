import { routes } from '@stoa/contract';
import { updateWorkspace } from '../../../service/workspaces/update-workspace.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';
import { workspaceRecord } from './workspace-record.ts';

export const updateWorkspaceOperation = operation(routes.updateWorkspace, async ({ deps, access, body }) => {
  const { name, icon, color, theme, themeCss } = body;
  const updated = await updateWorkspace(deps.service, access, {
    ...(name === undefined ? {} : { name }),
    ...(icon === undefined ? {} : { icon }),
    ...(color === undefined ? {} : { color }),
    ...(theme === undefined ? {} : { theme }),
    ...(themeCss === undefined ? {} : { themeCss }),
  });
  return json(200, workspaceRecord(updated));
});
