import type { WorkspaceAccess } from '../access.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { updateWorkspaceScript, type WorkspaceFields } from './update-workspace-script.ts';

/**
 * Changes a workspace's settings, as any member may. Stores the cleaned theme CSS, or null when nothing of it is left.
 * @returns the workspace after the change.
 * @throws WorkspaceError `invalid_request` for an icon that is a URL, and for CSS that cannot be read.
 */
export async function updateWorkspace(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'themes'>,
  access: WorkspaceAccess,
  fields: WorkspaceFields,
): Promise<WorkspaceRow> {
  const { themeCss } = fields;
  const cleaned =
    typeof themeCss === 'string'
      ? { ...fields, themeCss: await deps.themes.clean(access.workspace.id, themeCss) }
      : fields;
  return deps.store.transact(updateWorkspaceScript, { ...authorOf(access, deps.clock()), fields: cleaned });
}
