/** No partner: deleted or inserted. */
export const unmatched = -1;
/** Not known, because the diff gave up first. */
export const unknownMatch = -2;

/** Two sequences of ids, and the pairs of matching elements, in order. */
export interface SequenceMatch {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly toRight: Int32Array;
  readonly toLeft: Int32Array;
}

export function createSequenceMatch(left: Int32Array, right: Int32Array): SequenceMatch {
  return {
    left,
    right,
    toRight: new Int32Array(left.length).fill(unmatched),
    toLeft: new Int32Array(right.length).fill(unmatched),
  };
}

export interface Gap {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

export function pair(match: SequenceMatch, left: number, right: number): void {
  match.toRight[left] = right;
  match.toLeft[right] = left;
}
