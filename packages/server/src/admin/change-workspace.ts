import { WorkspaceError } from '@stoa/core';
import { type PlanCatalog, planOf } from '../service/plans.ts';
import type { WorkspaceRow } from '../service/ports/workspaces.ts';
import { type OperatedFields, operateWorkspace } from '../service/workspaces/operate-workspace.ts';
import { type AdminDeps, type CommandResult, RejectedCommand } from './command.ts';

/** A workspace as operator commands show it. */
export function describeWorkspace(row: WorkspaceRow, plans: PlanCatalog) {
  const { id, name, planId, lapsed, usedBytes, usedFiles, historyBytes, createdAt } = row;
  return {
    id,
    name,
    plan: planOf(plans, planId).id,
    status: lapsed ? 'lapsed' : 'active',
    usedBytes,
    usedFiles,
    historyBytes,
    createdAt: new Date(createdAt).toISOString(),
  };
}

/**
 * Changes a workspace and returns it. `what` is the predicate of the printed line, which begins with the workspace's
 * name.
 */
export async function changeWorkspace(
  service: AdminDeps['service'],
  workspaceId: string,
  fields: OperatedFields,
  what: string,
): Promise<CommandResult> {
  const row = await inWorkspace(workspaceId, () => operateWorkspace(service, workspaceId, fields));
  const workspace = describeWorkspace(row, service.plans);
  return { json: { workspace }, text: `The workspace ${row.id} (${row.name}) ${what}.` };
}

/** Runs an operation on a workspace, and says how to find one if it is unknown. */
export async function inWorkspace<Result>(workspaceId: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'workspace_not_found') {
      throw new RejectedCommand(
        `no workspace ${workspaceId}; \`npm run admin -- workspace list\` shows them`,
      );
    }
    throw error;
  }
}
