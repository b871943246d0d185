import { type PlanCatalog, planOf } from '../service/plans.ts';
import type { WorkspaceRow } from '../service/ports/rows.ts';

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
