/**
 * A request of a writer and its result. `told` is null when the service died first, so that the change may or may not
 * have been made. Every write has bytes of its own, so its hash identifies it.
 */
export type Attempt = {
  /** The time of the response, in milliseconds since the epoch, rounded up. */
  toldAt?: number;
} & (
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly hash: string;
      readonly size: number;
      told:
        | { readonly kind: 'version'; readonly version: number }
        | { readonly kind: 'copy'; readonly path: string }
        | null;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly version: number; told: 'done' | null }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; told: 'done' | null }
  | {
      readonly kind: 'restore';
      readonly path: string;
      readonly hash: string;
      told: { readonly version: number } | null;
    }
);

/** Returns the attempts as known at a moment, in milliseconds since the epoch, without later responses. */
export function knownAt(attempts: readonly Attempt[], moment: number): readonly Attempt[] {
  return attempts.map((attempt) =>
    attempt.toldAt !== undefined && attempt.toldAt <= moment ? attempt : { ...attempt, told: null },
  );
}

export function countAcknowledged(attempts: readonly Attempt[]): number {
  return attempts.filter(({ told: reported }) => reported !== null).length;
}
