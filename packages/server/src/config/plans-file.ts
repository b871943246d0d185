import { z } from 'zod';
import type { Plan, PlanCatalog } from '../service/plans.ts';

const limit = z.int().nonnegative().nullable().default(null);
const planSchema = z
  .strictObject({
    id: z.string().min(1).max(64),
    name: z.string().min(1).max(100).optional(),
    storageBytes: limit,
    files: limit,
    fileBytes: limit,
    historyBytes: limit,
    workspaces: limit,
  })
  .transform((plan) => ({ ...plan, name: plan.name ?? plan.id }));
const plansFileSchema = z.strictObject({ default: z.string(), plans: z.array(planSchema).min(1).max(100) });

/** A plan as the operator wrote it: its limits, and the name shown to users. */
export interface NamedPlan extends Plan {
  readonly name: string;
}

export interface NamedPlanCatalog extends PlanCatalog {
  readonly plans: readonly NamedPlan[];
}

export type PlansFileReading =
  | { readonly kind: 'read'; readonly defaultPlanId: string; readonly plans: readonly NamedPlan[] }
  | { readonly kind: 'refused'; readonly problem: string };

/** Without a plans file only the server's own limits apply. */
export const unlimitedPlan: NamedPlan = {
  id: 'unlimited',
  name: 'Unlimited',
  storageBytes: null,
  files: null,
  fileBytes: null,
  historyBytes: null,
  workspaces: null,
};

/**
 * Reads `{ "default": "free", "plans": [{ "id", "name", "storageBytes", "files", "fileBytes", "historyBytes",
 * "workspaces" }] }`. A limit that is null or absent is unlimited. A plan without a name is shown by its id.
 */
export function parsePlansFile(text: string): PlansFileReading {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return {
      kind: 'refused',
      problem: `it is not JSON (${error instanceof Error ? error.message : 'unreadable'})`,
    };
  }
  const parsed = plansFileSchema.safeParse(json);
  if (!parsed.success) return { kind: 'refused', problem: firstIssue(parsed.error) };
  const { default: defaultPlanId, plans } = parsed.data;
  const ids = new Set(plans.map(({ id }) => id));
  if (ids.size !== plans.length) return { kind: 'refused', problem: 'two plans have the same "id"' };
  if (!ids.has(defaultPlanId)) {
    return { kind: 'refused', problem: `"default" names "${defaultPlanId}", which is not one of its plans` };
  }
  return { kind: 'read', defaultPlanId, plans };
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it has another shape';
  const location = issue.path.length === 0 ? 'the file' : `"${issue.path.join('.')}"`;
  return `${location}: ${issue.message}`;
}
