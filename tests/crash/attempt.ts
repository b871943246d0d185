/**
 * A request of a writer and its result. `reported` is null when the service died first, so that the change may or may not
 * have been made. Every write has bytes of its own, so its hash identifies it.
 */
export type Attempt = {
  /** The time of the response, in milliseconds since the epoch, rounded up. */
  reportedAt?: number;
} & (
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly hash: string;
      readonly size: number;
      reported:
        | { readonly kind: 'version'; readonly version: number }
        | { readonly kind: 'copy'; readonly path: string }
        | null;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly version: number; reported: 'done' | null }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; reported: 'done' | null }
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly hash: string;
      reported: { readonly version: number } | null;
    }
);

/** Returns the attempts as known at a moment, in milliseconds since the epoch, without later responses. */
export function knownAt(attempts: readonly Attempt[], moment: number): readonly Attempt[] {
  return attempts.map((attempt) =>
    attempt.reportedAt !== undefined && attempt.reportedAt <= moment
      ? attempt
      : { ...attempt, reported: null },
  );
}

export function countAcknowledged(attempts: readonly Attempt[]): number {
  return attempts.filter(({ reported }) => reported !== null).length;
}
