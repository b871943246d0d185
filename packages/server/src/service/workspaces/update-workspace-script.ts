import { parseWorkspaceIcon, WorkspaceError } from '@stoa/core';
import { lockForChange } from '../changes/lock-for-change.ts';
import type { WorkspaceRow } from '../ports/rows.ts';
import { defineScript } from '../ports/script.ts';

/** Settings to change; an absent field stays as it is, null clears. */
export type WorkspaceFields = Partial<Pick<WorkspaceRow, 'name' | 'icon' | 'color' | 'theme' | 'themeCss'>>;

/** An uploaded image goes as soon as the icon is something else. */
export const updateWorkspaceScript = defineScript<
  { readonly workspaceId: string; readonly fields: WorkspaceFields },
  WorkspaceRow
>('workspaces.update', async (tx, { workspaceId, fields }) => {
  const current = await lockForChange(tx, workspaceId);
  const { icon } = fields;
  if (icon !== undefined && parseWorkspaceIcon(icon, current.icon) !== current.icon) {
    await tx.write.removeWorkspaceImage(workspaceId);
  }
  await tx.write.updateWorkspace(workspaceId, fields);
  const updated = await tx.workspaces.find(workspaceId);
  if (updated === null) throw new WorkspaceError('workspace_not_found');
  return updated;
});
