import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders, type Query } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** Rows of a step that needs no lookups: a few milliseconds, whichever of them are visible. */
export const plainStepRows = 2000;

/** Decides how long the steps of a read are, and never what a viewer sees: each statement does that itself. */
export interface PrivacyRecords {
  readonly privacyRecords: Query<{ workspaceId: string }, { readonly count: number }>;
}

export function privacyRecordsQuery({ db }: QueryDialect): PrivacyRecords['privacyRecords'] {
  return compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
    db
      .selectFrom('workspace_counter')
      .select('privacy_records as count')
      .where('workspace_id', '=', workspaceId),
  );
}

/** Whether rows of the workspace need lookups of privacy records. */
export async function needsLookups(
  executor: Executor,
  { privacyRecords }: PrivacyRecords,
  workspaceId: string,
): Promise<boolean> {
  const records = await privacyRecords.get(executor, { workspaceId });
  return (records?.count ?? 0) > 0;
}

/**
 * Collects up to `limit` visible rows in bounded steps, so that a long range of hidden rows takes many short statements
 * instead of a long one. Other requests run between them. `readStep` reads at most `rows` rows after the given one
 * (undefined: from the start), visible or not.
 * @param stepRows the most rows of a step
 */
export async function collectVisible<Row extends { readonly visible: number }>(
  executor: Pick<Executor, 'breathe' | 'stepRows'>,
  limit: number,
  readStep: (after: Row | undefined, rows: number) => Promise<readonly Row[]>,
  stepRows: number = executor.stepRows,
): Promise<readonly Row[]> {
  const visible: Row[] = [];
  let last: Row | undefined;
  let rows = Math.min(limit, stepRows);
  while (visible.length < limit) {
    const step = await readStep(last, rows);
    for (const row of step) if (row.visible === 1 && visible.length < limit) visible.push(row);
    if (step.length < rows) break;
    last = step.at(-1);
    // Also after a full last step, because a caller that reads page after page has no other pause.
    if (visible.length < limit || rows === stepRows) await executor.breathe();
    rows = Math.min(rows * 2, stepRows);
  }
  return visible;
}
