import { WorkspaceError } from '@stoa/core';
import type { WorkspaceRow } from '../ports/rows.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

/** Settings to change; an absent field stays as it is, null clears. */
export type WorkspaceFields = Partial<Pick<WorkspaceRow, 'name' | 'icon' | 'color' | 'theme' | 'themeCss'>>;

/** Changes a workspace's settings. Any member may. @returns the workspace after the change. */
export async function updateWorkspace(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  fields: WorkspaceFields,
): Promise<WorkspaceRow> {
  return deps.store.transact(updateWorkspaceScript, { workspaceId: access.workspace.id, fields });
}

export const updateWorkspaceScript = defineScript<
  { readonly workspaceId: string; readonly fields: WorkspaceFields },
  WorkspaceRow
>('workspaces.update', async (tx, { workspaceId, fields }) => {
  await tx.write.updateWorkspace(workspaceId, fields);
  const updated = await tx.workspaces.find(workspaceId);
  if (updated === null) throw new WorkspaceError('workspace_not_found');
  return updated;
});
