import { tools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { moveFile } from '../../service/files/move-file.ts';
import { workspaceTool } from '../tool.ts';

export const moveFileTool = workspaceTool(tools.moveFile, async ({ deps, access, input }) => {
  const from = parseWorkspacePath(input.from);
  const to = parseWorkspacePath(input.to);
  const outcome = await moveFile(deps.service, access, { from, to, base: null });
  if (outcome.kind === 'conflict') throw new WorkspaceError('overloaded');
  return { text: `Moved ${from} to ${outcome.path}, which is at version ${outcome.version}.` };
});
