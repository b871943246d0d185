import type { Executor } from './executor.ts';

const stepRowsMax = 2000;

/**
 * Collects up to `limit` visible rows by reading bounded steps, so that a long stretch of rows that the viewer may not
 * see costs many short statements and never one long one. Between them others are served. `readStep` reads at most `rows` rows after the given one
 * (undefined: from the start), visible or not.
 */
export async function collectVisible<Row extends { readonly visible: number }>(
  executor: Pick<Executor, 'breathe'>,
  limit: number,
  readStep: (after: Row | undefined, rows: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const visible: Row[] = [];
  let last: Row | undefined;
  let rows = Math.min(limit, stepRowsMax);
  while (visible.length < limit) {
    const step = await readStep(last, rows);
    for (const row of step) if (row.visible === 1 && visible.length < limit) visible.push(row);
    if (step.length < rows) break;
    last = step.at(-1);
    // After the last step too when it was a long one: whoever reads page after page has none that is not the last.
    if (visible.length < limit || rows === stepRowsMax) await executor.breathe();
    rows = Math.min(rows * 2, stepRowsMax);
  }
  return visible;
}
