import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { ShareRow } from '../ports/shares.ts';
import { findOwner } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { rejectOptions } from './create-share.ts';
import { requireManagedShare, requireShare } from './require-share.ts';

interface UpdateShareCommand extends ChangeAuthor {
  readonly shareId: string;
  readonly allowScripts: boolean;
}

/**
 * Allows or disallows scripts for a link (interface: shares, Make a link).
 * @throws WorkspaceError `share_not_found`, `invalid_request` (a folder), `share_needs_session`, `forbidden_role`
 */
export async function updateShare(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  change: { readonly shareId: string; readonly allowScripts: boolean },
): Promise<ShareRow> {
  return deps.store.transact(updateShareScript, { ...authorOf(access, deps.clock()), ...change });
}

export const updateShareScript = defineAuditedScript<UpdateShareCommand, ShareRow>(
  'shares.update',
  async (tx, command) => {
    const { role } = await openForChange(tx, command, 'write');
    const { workspaceId, actor, viewer, shareId, allowScripts, now } = command;
    const share = await requireShare(tx, workspaceId, viewer, shareId);
    // Ignores the link's other options, which its creation already checked: a key may disallow scripts for any link.
    rejectOptions({
      kind: share.kind,
      access: 'member',
      hasPassword: false,
      allowScripts,
      via: command.credential.via,
    });
    requireManagedShare(share, { userId: actor.userId, role });
    await tx.write.setShareScripts(share.id, allowScripts);
    if (share.allowScripts === allowScripts) return share;
    const path = { path: share.path, ownerId: await findOwner(tx, workspaceId, share.path) };
    const about = { at: now, workspaceId, personId: share.createdBy, targetId: share.id };
    tx.noteAudit({ action: 'share.change', ...about, path, details: { allowScripts } });
    return { ...share, allowScripts };
  },
);
