import { extendedTools, tools } from '@stoa/contract';
import { type NodeKind, parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { setNodePrivate } from '../../service/nodes/set-node-private.ts';
import { isHidden } from '../../service/privacy/find-owner.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { hideUnlessOthers } from '../others-files.ts';
import { type ToolResponse, workspaceTool } from '../tool.ts';

export const setPrivateTool = workspaceTool(tools.setPrivate, ({ deps, access, input }) =>
  setPrivate(deps, access, { ...input, path: parseWorkspacePath(input.path) }),
);

/** In the extended set it hides files of others only if the call confirms it. */
export const setPrivateUnlessOthersTool = workspaceTool(
  extendedTools.setPrivate,
  async ({ deps, access, input }) => {
    const path = parseWorkspacePath(input.path);
    const kind = input.kind ?? (await kindOf(deps, access, path));
    const change = (opened: WorkspaceAccess) =>
      setPrivate(deps, opened, { path, kind, private: input.private });
    const { viewer, workspace } = access;
    // A path that the caller cannot see is left to the change itself, like a missing one.
    const isSeen = input.private && !(await isHidden(deps.service.store.reader, workspace.id, path, viewer));
    return isSeen ? hideUnlessOthers(deps, access, path, input.others ?? false, change) : change(access);
  },
);

async function kindOf({ service }: McpDeps, { workspace, viewer }: WorkspaceAccess, path: WorkspacePath) {
  const { reader } = service.store;
  const file = await reader.files.find(workspace.id, path);
  return file !== null && !(await isHidden(reader, workspace.id, path, viewer)) ? 'file' : 'folder';
}

async function setPrivate(
  { service }: McpDeps,
  access: WorkspaceAccess,
  wanted: { readonly path: WorkspacePath; readonly kind: NodeKind; readonly private: boolean },
): Promise<ToolResponse> {
  await setNodePrivate(service, access, wanted);
  const { path, kind } = wanted;
  const what = `The ${kind} ${path}`;
  if (!wanted.private) return { text: `${what} is shared with all members now.` };
  const { workspace, viewer } = access;
  if (await service.store.reader.files.hasVisibleAtOrBelow(workspace.id, path, viewer))
    return { text: `${what} is private now: the other members no longer see it.` };
  return {
    text: `Nothing is at ${path} yet: as a folder it is private now, and so is each file that you write into it. If you meant another path, call this again with private: false.`,
  };
}
