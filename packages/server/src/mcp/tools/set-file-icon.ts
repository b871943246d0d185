import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { setNodeIcon } from '../../service/nodes/set-node-icon.ts';
import { workspaceTool } from '../tool.ts';

export const setFileIconTool = workspaceTool(tools.setFileIcon, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { icon } = input;
  await setNodeIcon(deps.service, access, { path, icon });
  return { text: icon === null ? `${path} has no icon now.` : `The icon of ${path} is ${icon} now.` };
});
