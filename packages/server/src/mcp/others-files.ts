import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { counted } from './counted.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { ToolResponse } from './tool.ts';

/** Upper limit of the count. */
const countedMax = 10_000;
/** Number of counts, if others change the workspace between the count and the call. */
const triesMax = 5;

/**
 * Makes a change that hides the files at or below `path`, unless it would take files from the users who wrote them
 * last (interface: mcp, File tools). The change is made only while the count is valid.
 * @param isMeant whether the caller confirmed the files of others
 * @throws WorkspaceError those of `change`; `overloaded` if others keep changing the workspace
 */
export async function hideUnlessOthers(
  { service }: McpDeps,
  access: WorkspaceAccess,
  path: WorkspacePath,
  isMeant: boolean,
  change: (access: WorkspaceAccess) => Promise<ToolResponse>,
): Promise<ToolResponse> {
  if (isMeant) return change(access);
  const workspaceId = access.workspace.id;
  const { reader } = service.store;
  for (let tries = 1; ; tries += 1) {
    const onlyAtSeq = await reader.changes.head(workspaceId);
    const query = { workspaceId, path, userId: access.actor.userId, limit: countedMax };
    const wouldHide = await reader.files.countOthers(query);
    if (wouldHide > 0) return othersResponse(wouldHide);
    try {
      return await change({ ...access, onlyAtSeq });
    } catch (error) {
      if (!(error instanceof WorkspaceError) || error.code !== 'overloaded' || tries === triesMax)
        throw error;
    }
  }
}

function othersResponse(wouldHide: number): ToolResponse {
  const files = `${counted(wouldHide, 'file')}${wouldHide === countedMax ? ' or more' : ''}`;
  const next = 'Ask the people who wrote them. If it is meant, call again with others true.';
  return {
    text: `Nothing was changed: ${files} that other people last wrote would be hidden from them. ${next}`,
    data: { ok: false, wouldHide, next },
  };
}
