import { parseIcon, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface SetNodeIconCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  readonly icon: string | null;
}

/**
 * Sets or clears (null) the icon of a file or folder. Writes no feed record, because icons are not part of any file.
 * @throws WorkspaceError `invalid_request` for an unknown icon, `file_not_found` when the caller sees nothing at or
 * under the path.
 */
export async function setNodeIcon(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  node: { readonly path: WorkspacePath; readonly icon: string | null },
): Promise<void> {
  return deps.store.transact(setNodeIconScript, {
    ...authorOf(access, deps.clock()),
    path: node.path,
    icon: node.icon === null ? null : parseIcon(node.icon),
  });
}

export const setNodeIconScript = defineScript<SetNodeIconCommand, void>(
  'nodes.set-icon',
  async (tx, command) => {
    await openForChange(tx, command, 'write');
    const { workspaceId, viewer, path, icon } = command;
    if (!(await tx.files.hasVisibleAtOrBelow(workspaceId, path, viewer))) {
      throw new WorkspaceError('file_not_found');
    }
    await tx.write.setIcon(workspaceId, path, icon);
  },
);
