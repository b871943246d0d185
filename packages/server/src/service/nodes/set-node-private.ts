import { type NodeKind, privacyRecordsPerWorkspaceMax, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { makePrivate, makeShared } from '../privacy/change-privacy.ts';
import { findOwner, rejectHidden } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface SetNodePrivateCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  readonly private: boolean;
}

/**
 * Makes a file or folder private to the caller, or shared again (interface: privacy, Make private). A folder need not
 * exist yet: files can then be added to it privately from the start. Repeating a state changes nothing.
 * @throws WorkspaceError `file_not_found` (hidden, no such file, or nothing there to share), `path_taken` when a file
 * is at the path of the folder, `too_many_private_items`.
 */
export async function setNodePrivate(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  node: { readonly path: WorkspacePath; readonly kind: NodeKind; readonly private: boolean },
): Promise<void> {
  const author = authorOf(access, deps.clock());
  return deps.store.transact(setNodePrivateScript, { ...author, ...node });
}

export const setNodePrivateScript = defineAuditedScript<SetNodePrivateCommand, void>(
  'nodes.set-private',
  async (tx, command) => {
    const { path, kind, now } = command;
    const ownerId = command.actor.userId;
    const { workspace } = await openForChange(tx, command, 'write');
    await rejectHidden(tx, workspace.id, path, command.viewer);
    const file = await tx.files.find(workspace.id, path);
    if (kind === 'file' && file === null) throw new WorkspaceError('file_not_found');
    if (kind === 'folder' && file !== null) {
      throw new WorkspaceError('path_taken', {}, `"${path}" is a file: send kind "file"`);
    }
    const deciding = await tx.nodes.decidingPrivacy(workspace.id, path);
    const own = deciding?.path === path ? deciding : null;
    if (!command.private) {
      if (own !== null) {
        await makeShared(tx, command, path);
        const about = { at: now, workspaceId: workspace.id, personId: own.ownerId };
        const seenBy = { path, ownerId: await findOwner(tx, workspace.id, path) };
        tx.noteAudit({ action: 'privacy.clear', ...about, path: seenBy, details: { kind } });
      } else if (!(await tx.files.hasVisibleAtOrBelow(workspace.id, path, command.viewer))) {
        throw new WorkspaceError('file_not_found');
      }
    } else if (own === null || own.implied || own.kind !== kind) {
      if (own === null && workspace.privacyRecords >= privacyRecordsPerWorkspaceMax) {
        throw new WorkspaceError('too_many_private_items');
      }
      await makePrivate(tx, command, { path, kind, ownerId, implied: false });
      const about = { at: now, workspaceId: workspace.id, personId: ownerId };
      tx.noteAudit({ action: 'privacy.set', ...about, path: { path, ownerId }, details: { kind } });
    }
  },
);
