import { parseWorkspaceIcon, WorkspaceError } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { type ChangeAuthor, openForChange } from '../script-steps.ts';

/** Settings to change; an absent field stays unchanged, null clears it. */
export type WorkspaceFields = Partial<Pick<WorkspaceRow, 'name' | 'icon' | 'color' | 'theme' | 'themeCss'>>;

/** Removes an uploaded image as soon as the icon is something else. */
export const updateWorkspaceScript = defineScript<
  ChangeAuthor & { readonly fields: WorkspaceFields },
  WorkspaceRow
>('workspaces.update', async (tx, command) => {
  const { workspace: current } = await openForChange(tx, command, 'workspace');
  const { workspaceId, fields } = command;
  const { icon } = fields;
  if (icon !== undefined && parseWorkspaceIcon(icon, current.icon) !== current.icon) {
    await tx.write.removeWorkspaceImage(workspaceId);
  }
  await tx.write.updateWorkspace(workspaceId, fields);
  const updated = await tx.workspaces.find(workspaceId);
  if (updated === null) throw new WorkspaceError('workspace_not_found');
  return updated;
});
