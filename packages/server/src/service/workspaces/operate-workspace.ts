import { invalidRequest, WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Fields that only an operator may change. */
export type OperatedFields = Partial<Pick<WorkspaceRow, 'planId' | 'lapsed'>>;

/**
 * Sets the plan of a workspace or whether it is lapsed, for an operator command. Takes effect with the next request.
 * @throws WorkspaceError `workspace_not_found`; `invalid_request` when the catalogue has no such plan.
 */
export async function operateWorkspace(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  workspaceId: string,
  fields: OperatedFields,
): Promise<WorkspaceRow> {
  return deps.store.transact(operateWorkspaceScript, { workspaceId, fields, now: deps.clock() });
}

export const operateWorkspaceScript = defineAuditedScript<
  { readonly workspaceId: string; readonly fields: OperatedFields; readonly now: number },
  WorkspaceRow
>('workspaces.operate', async (tx, { workspaceId, fields, now }, context) => {
  const { planId, lapsed } = fields;
  if (typeof planId === 'string' && !context.plans.plans.some(({ id }) => id === planId)) {
    const known = context.plans.plans.map(({ id }) => id).join(', ');
    throw invalidRequest(`There is no plan "${planId}"; the plans are: ${known}`);
  }
  if ((await tx.workspaces.find(workspaceId)) === null) throw new WorkspaceError('workspace_not_found');
  await tx.write.updateWorkspace(workspaceId, fields);
  const about = { at: now, workspaceId };
  if (planId !== undefined) tx.noteAudit({ action: 'workspace.plan', ...about, details: { plan: planId } });
  if (lapsed !== undefined)
    tx.noteAudit({ action: lapsed ? 'workspace.lapse' : 'workspace.renew', ...about });
  const updated = await tx.workspaces.find(workspaceId);
  if (updated === null) throw new WorkspaceError('workspace_not_found');
  return updated;
});
