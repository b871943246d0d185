import { tools } from '@stoa/contract';
import { resolutionRecord } from '../../records/resolution-record.ts';
import { setResolved } from '../../service/comments/set-resolved.ts';
import { workspaceTool } from '../tool.ts';

export const resolveCommentTool = workspaceTool(tools.resolveComment, async ({ deps, access, input }) => {
  const { threadId, resolved } = input;
  const { changed, resolution } = await setResolved(deps.service, access, { threadId, resolved });
  const record = resolutionRecord(resolution);
  const { resolvedAt, resolvedAtVersion, resolvedBy } = record;
  const state =
    resolution === null
      ? 'open'
      : `resolved at ${resolvedAt} by ${resolvedBy}, at file version ${resolvedAtVersion ?? 'none: it is deleted'}`;
  return {
    text: `The thread ${threadId} is ${changed ? 'now' : 'still'} ${state}.`,
    data: { ok: true, resolved, changed, ...record },
  };
});
