import { fileBytesLimit } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { planOf } from '../plans.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Bytes and files of current versions, and bytes of earlier ones, with the plan's limits; null is unlimited (interface:
 * workspaces, Usage).
 */
export interface Usage {
  readonly usedBytes: number;
  readonly limitBytes: number | null;
  readonly remainingBytes: number | null;
  readonly usedFiles: number;
  readonly limitFiles: number | null;
  readonly remainingFiles: number | null;
  readonly historyBytes: number;
  readonly limitHistoryBytes: number | null;
  readonly warning: boolean;
  readonly maxFileBytes: number;
  readonly plan: string;
  readonly lapsed: boolean;
}

/** The share of the file limit above which users are warned. */
const warningShare = 0.9;

/** For a key with a path, usage counts only that path; the limits are still the workspace's. */
export async function readUsage(
  deps: Pick<ServiceDeps, 'plans' | 'store'>,
  { workspace, viewer }: WorkspaceAccess,
): Promise<Usage> {
  const plan = planOf(deps.plans, workspace.planId);
  const { usedBytes, usedFiles, historyBytes } =
    viewer.within === '' ? workspace : await deps.store.reader.files.usageWithin(workspace.id, viewer);
  return {
    usedBytes,
    limitBytes: plan.storageBytes,
    remainingBytes: remaining(plan.storageBytes, usedBytes),
    usedFiles,
    limitFiles: plan.files,
    remainingFiles: remaining(plan.files, usedFiles),
    historyBytes,
    limitHistoryBytes: plan.historyBytes,
    warning: plan.files !== null && usedFiles >= plan.files * warningShare,
    maxFileBytes: fileBytesLimit(plan, deps.plans.maxFileBytes),
    plan: plan.id,
    lapsed: workspace.lapsed,
  };
}

function remaining(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}
