import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { moveFile } from '../../service/files/move-file.ts';
import { moveFolderFiles } from '../../service/files/move-folder-files.ts';
import { findOwner } from '../../service/privacy/find-owner.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { hideUnlessOthers } from '../others-files.ts';
import { type ToolResponse, workspaceTool } from '../tool.ts';

interface MoveCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.moveFile>;
}

export const moveFileTool = workspaceTool(tools.moveFile, move);

/**
 * In the extended set this also moves a folder with all its files. A move into a private path of the caller hides
 * files of others only if the call confirms it.
 */
export const moveFileOrFolderTool = workspaceTool(extendedTools.moveFile, async (call) => {
  const { deps, access, input } = call;
  const from = parseWorkspacePath(input.from);
  const to = parseWorkspacePath(input.to);
  // A private folder of another member accepts nothing: the move itself fails.
  const { reader } = deps.service.store;
  const { viewer, workspace } = access;
  const isPrivate =
    (await findOwner(reader, workspace.id, to)) === viewer.userId ||
    (
      await reader.nodes.privatePage({
        workspaceId: workspace.id,
        prefix: to,
        viewer,
        afterPath: null,
        limit: 1,
      })
    ).length > 0;
  if (!isPrivate) return moveAny(call);
  return hideUnlessOthers(deps, access, from, input.others ?? false, (opened) =>
    moveAny({ ...call, access: opened }),
  );
});

async function moveAny(call: MoveCall): Promise<ToolResponse> {
  const { deps, access, input } = call;
  const from = parseWorkspacePath(input.from);
  const { reader } = deps.service.store;
  if ((await reader.files.find(access.workspace.id, from)) !== null) return move(call);
  if (!(await reader.files.hasVisibleAtOrBelow(access.workspace.id, from, access.viewer))) return move(call);
  const to = parseWorkspacePath(input.to);
  const count = await moveFolderFiles(deps.service, access, { from, to });
  const files = count === 1 ? '1 file, now' : `${count} files, each now`;
  return { text: `Moved folder ${from} to ${to}: ${files} at version 1.` };
}

async function move({ deps, access, input }: MoveCall): Promise<ToolResponse> {
  const from = parseWorkspacePath(input.from);
  const to = parseWorkspacePath(input.to);
  const outcome = await moveFile(deps.service, access, { from, to, base: null });
  if (outcome.kind === 'conflict') throw new WorkspaceError('overloaded');
  return { text: `Moved ${from} to ${outcome.path}, which is at version ${outcome.version}.` };
}
