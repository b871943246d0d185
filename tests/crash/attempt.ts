/**
 * What a writer asked for and what it was told; `told` is null when the service died first, so that the attempt may or may not
 * have happened. Every write has bytes of its own, so its hash names it.
 */
export type Attempt = {
  /** When it was told, in milliseconds since the epoch, rounded up. */
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

/** The same attempts as they were known at a moment, in milliseconds since the epoch: what was told later was not. */
export function knownAt(attempts: readonly Attempt[], moment: number): readonly Attempt[] {
  return attempts.map((attempt) =>
    attempt.toldAt !== undefined && attempt.toldAt <= moment ? attempt : { ...attempt, told: null },
  );
}

export function countAcknowledged(attempts: readonly Attempt[]): number {
  return attempts.filter(({ told }) => told !== null).length;
}
