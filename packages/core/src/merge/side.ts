/** A sequence to compare with another. Its elements are numbers; equal elements have equal numbers. */
export interface Side {
  readonly ids: Int32Array;
  /** By element: 1 if the other side has no counterpart. Both sides have the same number of zeros. */
  readonly changed: Uint8Array;
}

/** The remaining steps, see `mergeStepsMax`. */
export interface StepBudget {
  left: number;
}
