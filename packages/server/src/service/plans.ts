import type { PlanLimits } from '@stoa/core';

export interface Plan extends PlanLimits {
  readonly id: string;
}

/** The operator's plans, and the server's own maximum file size in bytes. */
export interface PlanCatalog {
  readonly defaultPlanId: string;
  readonly plans: readonly Plan[];
  readonly maxFileBytes: number;
}

/** Returns the current plan of a workspace: the default when it has none or its plan was removed. */
export function planOf(catalog: PlanCatalog, planId: string | null): Plan {
  const plan =
    catalog.plans.find(({ id }) => id === planId) ??
    catalog.plans.find(({ id }) => id === catalog.defaultPlanId);
  if (plan === undefined)
    throw new Error(`the plan catalogue lacks its default plan ${catalog.defaultPlanId}`);
  return plan;
}
