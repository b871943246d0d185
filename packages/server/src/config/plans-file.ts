import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { PlanCatalog } from '../service/plans.ts';

const limit = z.int().nonnegative().nullable().default(null);
/** A limit that is null or absent is unlimited. A plan without a name is shown by its id. */
const plan = z
  .strictObject({
    id: z.string().min(1).max(64),
    name: z.string().min(1).max(100).optional(),
    storageBytes: limit,
    files: limit,
    fileBytes: limit,
    historyBytes: limit,
    workspaces: limit,
  })
  .transform(({ name, ...limits }) => ({ ...limits, name: name ?? limits.id }));
const plansFile = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      context.addIssue(`it is not JSON (${reasonOf(error)})`);
      return z.NEVER;
    }
  })
  .pipe(z.strictObject({ default: z.string(), plans: z.array(plan).min(1).max(100) }))
  .superRefine(({ default: defaultPlanId, plans }, context) => {
    const ids = new Set(plans.map(({ id }) => id));
    if (ids.size !== plans.length) context.addIssue('two plans have the same "id"');
    else if (!ids.has(defaultPlanId)) {
      context.addIssue(`"default" names "${defaultPlanId}", which is not one of its plans`);
    }
  });

/** A plan as the operator wrote it: its limits, and the name shown to users. */
type NamedPlan = Readonly<z.output<typeof plan>>;

export interface NamedPlanCatalog extends PlanCatalog {
  readonly plans: readonly NamedPlan[];
}

/** Without a plans file only the server's own limits apply. */
export const unlimitedPlan: NamedPlan = plan.parse({ id: 'unlimited', name: 'Unlimited' });

/** Reads a file `{ "default": "free", "plans": [{ "id": "free", "storageBytes": 1000000000 }] }`. */
export function readPlansFile(
  file: string,
  context: z.RefinementCtx<string>,
): Omit<NamedPlanCatalog, 'maxFileBytes'> {
  const reject = (problem: string) => {
    context.addIssue(problem);
    return z.NEVER;
  };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return reject(
      `names a file that cannot be read (${reasonOf(error)}), e.g. STOA_PLANS=/etc/stoa/plans.json`,
    );
  }
  const parsed = plansFile.safeParse(text);
  if (parsed.success) return { defaultPlanId: parsed.data.default, plans: parsed.data.plans };
  const shape =
    '{ "default": "free", "plans": [{ "id": "free", "name": "Free", "storageBytes": 1000000000 }] }';
  return reject(`names ${file}, but ${firstIssue(parsed.error)}; e.g. ${shape}`);
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined || issue.code === 'custom') return issue?.message ?? 'it has another shape';
  return `${issue.path.length === 0 ? 'the file' : `"${issue.path.join('.')}"`}: ${issue.message}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unreadable';
}
