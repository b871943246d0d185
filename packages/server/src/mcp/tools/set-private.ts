import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { setNodePrivate } from '../../service/nodes/set-node-private.ts';
import { workspaceTool } from '../tool.ts';

export const setPrivateTool = workspaceTool(tools.setPrivate, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { kind } = input;
  await setNodePrivate(deps.service, access, { path, kind, private: input.private });
  const what = `The ${kind} ${path}`;
  return {
    text: input.private
      ? `${what} is private now: the other members no longer see it.`
      : `${what} is shared with all members now.`,
  };
});
