import { fileBytesLimit } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { planOf } from '../plans.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Storage in bytes and files of current versions, and the bytes of earlier ones, with the plan's limits; null is unlimited
 * (interface: workspaces, Usage).
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

/** The share of the file limit from which a person is warned. */
const warningShare = 0.9;

/** To a key with a path what lies elsewhere does not count; the limits are the workspace's all the same. */
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
