import { WorkspaceError } from '@stoa/core';
import { type OperatedFields, operateWorkspace } from '../service/workspaces/operate-workspace.ts';
import type { AdminDeps, CommandResult } from './command.ts';
import { describeWorkspace } from './describe-workspace.ts';
import { RefusedCommand } from './refused-command.ts';

/** Changes a workspace and shows it; `what` ends the sentence that begins with its name. */
export async function changeWorkspace(
  service: AdminDeps['service'],
  workspaceId: string,
  fields: OperatedFields,
  what: string,
): Promise<CommandResult> {
  try {
    const row = await operateWorkspace(service, workspaceId, fields);
    const workspace = describeWorkspace(row, service.plans);
    return { json: { workspace }, text: `The workspace ${row.id} (${row.name}) ${what}.` };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'workspace_not_found') {
      throw new RefusedCommand(`no workspace ${workspaceId}; \`npm run admin -- workspace list\` shows them`);
    }
    throw error;
  }
}
