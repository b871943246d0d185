import { createHash } from 'node:crypto';
import {
  type ContentHash,
  parseWorkspaceIcon,
  parseWorkspacePath,
  type WorkspaceColor,
  WorkspaceError,
} from '@stoa/core';
import { type AccessQuestion, type Caller, requireCredential } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { putVersion } from '../files/put-version.ts';
import { planOf } from '../plans.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { Authorship } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { seedFiles } from './seed/seed-files.ts';

interface CreateWorkspaceCommand extends Authorship, AccessQuestion {
  readonly name: string;
  readonly icon: string | null;
  readonly color: WorkspaceColor | null;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/**
 * Creates a workspace owned by the caller, with its first two files unless the server does not seed.
 * @throws WorkspaceError `invalid_request` for an icon that is a URL; `workspace_limit_exceeded` with `used` and
 * `limit` when the caller owns as many as allowed.
 */
export async function createWorkspace(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'seedWorkspaces'>,
  caller: Pick<Caller, 'actor' | 'credential'>,
  fields: { readonly name: string; readonly icon: string | null; readonly color: WorkspaceColor | null },
): Promise<WorkspaceRow> {
  return deps.store.transact(createWorkspaceScript, {
    workspaceId: deps.ids('ws'),
    actor: caller.actor,
    credential: caller.credential,
    now: deps.clock(),
    files: deps.seedWorkspaces ? seedFiles(fields.name) : [],
    ...fields,
    icon: parseWorkspaceIcon(fields.icon, null),
  });
}

export const createWorkspaceScript = defineAuditedScript<CreateWorkspaceCommand, WorkspaceRow>(
  'workspaces.create',
  async (tx, command, context) => {
    const { workspaceId, actor, now } = command;
    await requireCredential(tx, command, 'workspace');
    const owned = (await tx.workspaces.listOf(actor.userId)).filter(({ role }) => role === 'owner');
    // A user's limit is that of the best plan among their own workspaces, and at least the default plan's.
    const allowances = [null, ...owned.map(({ workspace }) => workspace.planId)].map(
      (planId) => planOf(context.plans, planId).workspaces,
    );
    const limit = allowances.includes(null) ? null : Math.max(...allowances.filter((n) => n !== null));
    if (limit !== null && owned.length >= limit) {
      throw new WorkspaceError('workspace_limit_exceeded', { used: owned.length, limit });
    }
    const { name, icon, color } = command;
    await tx.write.insertWorkspace({ id: workspaceId, name, icon, color, planId: null, createdAt: now });
    await tx.write.insertMember({ workspaceId, userId: actor.userId, role: 'owner', createdAt: now });
    tx.noteAudit({ action: 'workspace.make', at: now, workspaceId, targetName: name });
    for (const { path, bytes } of command.files) {
      const contentHash = createHash('sha256').update(bytes).digest('hex') as ContentHash;
      const sizeBytes = bytes.byteLength;
      const location = { kind: 'inline', bytes } as const;
      await tx.write.keepBlob({ workspaceId, contentHash, sizeBytes, location, createdAt: now });
      await putVersion(tx, command, {
        path: parseWorkspacePath(path),
        current: null,
        version: 1,
        op: 'write',
        contentHash,
        sizeBytes,
        contentType: 'text/markdown',
        ownerId: null,
      });
    }
    const created = await tx.workspaces.find(workspaceId);
    if (created === null) throw new Error('a workspace is missing right after its creation');
    return created;
  },
);
