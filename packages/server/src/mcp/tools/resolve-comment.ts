import { tools } from '@stoa/contract';
import { resolutionRecord } from '../../records/resolution-record.ts';
import { setResolved } from '../../service/comments/set-resolved.ts';
import { actorNames } from '../../service/people/actor-names.ts';
import type { Resolution } from '../../service/ports/comments.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { workspaceTool } from '../tool.ts';

export const resolveCommentTool = workspaceTool(tools.resolveComment, async ({ deps, access, input }) => {
  const { threadId, resolved } = input;
  const { changed, resolution } = await setResolved(deps.service, access, { threadId, resolved });
  const state = resolution === null ? 'open' : await resolvedText(deps, resolution);
  return {
    text: `The thread ${threadId} is ${changed ? 'now' : 'still'} ${state}.`,
    data: { ok: true, resolved, changed, ...resolutionRecord(resolution) },
  };
});

async function resolvedText(deps: McpDeps, resolution: Resolution): Promise<string> {
  const { resolvedAt, resolvedAtVersion, resolvedBy } = resolutionRecord(resolution);
  const name = await actorNames(deps.service.store.reader.users)({
    actorId: resolution.userId,
    actorLabel: null,
  });
  return `resolved at ${resolvedAt} by ${name} (${resolvedBy}), at file version ${resolvedAtVersion ?? 'none: it is deleted'}`;
}
