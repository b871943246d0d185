import assert from 'node:assert/strict';
import type { CheckReport } from '../../src/service/checking/check-installation.ts';

export const foundIn = ({ problems }: Pick<CheckReport, 'problems'>): Record<string, string[]> =>
  Object.fromEntries(problems.map(({ rule, found }) => [rule, found.map(({ subject }) => subject)]));

/** Subjects are compared by their beginnings: ids, times and sizes come from the fixture. */
export function assertFound(
  report: Pick<CheckReport, 'problems'>,
  expected: Readonly<Record<string, readonly string[]>>,
): void {
  const found = foundIn(report);
  assert.deepEqual(Object.keys(found).toSorted(), Object.keys(expected).toSorted(), JSON.stringify(found));
  for (const [rule, beginnings] of Object.entries(expected)) {
    const subjects = (found[rule] ?? []).toSorted();
    assert.equal(subjects.length, beginnings.length, `${rule}: ${subjects}`);
    for (const [index, beginning] of beginnings.toSorted().entries()) {
      if (beginning === 'content') assert.match(subjects[index] ?? '', /^[0-9a-f]{64}$/);
      else if (beginning === 'sum') assert.match(subjects[index] ?? '', /^\d+ instead of -?\d+$/);
      else assert.ok(subjects[index]?.startsWith(beginning), `${rule}: ${subjects[index]}`);
    }
  }
}
