/** A sequence that is compared with another: elements as numbers, equal ones equally. */
export interface Side {
  readonly ids: Int32Array;
  /** By element: 1 when the other side has nothing in its place. As many elements are 0 on one side as on the other. */
  readonly changed: Uint8Array;
}

/** What may still be spent, see `mergeStepsMax`. */
export interface StepBudget {
  left: number;
}
