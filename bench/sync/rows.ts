import type { Row, Target } from '../bench-case.ts';
import { atMost } from '../bench-case.ts';
import { shareOf } from '../measure/ratio.ts';

/** Returns a row with each round's figure as a share of the allowance from that round's controls. */
export function allowedRow(
  figure: string,
  against: string,
  values: readonly number[],
  allowed: readonly number[],
): Row {
  const shares = values.map((value, round) => value / (allowed[round] ?? Number.NaN));
  return { figure, against, result: { kind: 'ratio', ratio: shareOf(shares, 1) }, target: atMost(1) };
}

/** Returns a row with figures as shares of a limit. */
export function limitRow(figure: string, against: string, values: readonly number[], limit: number): Row {
  return { figure, against, result: { kind: 'ratio', ratio: shareOf(values, limit) }, target: atMost(1) };
}

export function unmeasuredRow(figure: string, against: string, reason: string, target: Target | null): Row {
  return { figure, against, result: { kind: 'not_measured', reason }, target };
}

/** Returns the value below which this share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('there are no values');
  return value;
}
