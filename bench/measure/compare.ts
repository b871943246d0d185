import type { Row, Target } from '../bench-case.ts';
import type { MissingSide, OptionalSide } from '../sides/side.ts';
import type { Rounds } from './alternate.ts';
import { ratioOf } from './ratio.ts';

/** Returns a row that compares two contestants of the same rounds: the figure of `of` divided by that of `to`. */
export function compareRow<Result>(
  figure: string,
  rounds: Rounds<Result>,
  [of, to]: readonly [string, string],
  value: (result: Result) => number,
  target: Target | null,
): Row {
  return {
    figure,
    against: to,
    result: { kind: 'ratio', ratio: ratioOf(resultsOf(rounds, of), resultsOf(rounds, to), value) },
    target,
  };
}

/** Compares with a control that may not be installed. */
export function compareOptional<Result>(
  figure: string,
  rounds: Rounds<Result>,
  [of, to]: readonly [string, OptionalSide],
  value: (result: Result) => number,
  target: Target | null,
): Row {
  return to.kind === 'missing'
    ? missingRow(figure, to.missing, target)
    : compareRow(figure, rounds, [of, to.side.name], value, target);
}

/** Returns a row that names the control that is not installed. */
export function missingRow(figure: string, missing: MissingSide, target: Target | null): Row {
  const reason = `${missing.name} is not installed: ${missing.install}`;
  return { figure, against: missing.name, result: { kind: 'not_measured', reason }, target };
}

export function resultsOf<Result>(rounds: Rounds<Result>, name: string): readonly Result[] {
  const results = rounds.get(name);
  if (results === undefined) throw new Error(`${name} was not measured`);
  return results;
}
