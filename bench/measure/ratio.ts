/** A ratio of two sides over the rounds: the median, and the range. */
export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Returns the ratio of each round's pair, so that drift between rounds cancels, and the median of the rounds. */
export function ratioOf<Result>(
  of: readonly Result[],
  to: readonly Result[],
  figure: (result: Result) => number,
): Ratio {
  return spread(
    of.map((result, round) => {
      const other = to[round];
      if (other === undefined) throw new Error('sides with unequal numbers of rounds');
      return figure(result) / figure(other);
    }),
  );
}

/** Returns each round's figure as a share of a limit. */
export function shareOf(values: readonly number[], limit: number): Ratio {
  return spread(values.map((value) => value / limit));
}

function spread(values: readonly number[]): Ratio {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, middle, most] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map((at) => sorted[at]);
  if (least === undefined || middle === undefined || most === undefined) throw new Error('no rounds');
  return { median: middle, least, most };
}
