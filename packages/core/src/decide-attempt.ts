/** At most `max` attempts in any stretch of `windowSeconds`, wherever it begins. */
export interface AttemptLimit {
  readonly max: number;
  readonly windowSeconds: number;
}

export type AttemptDecision =
  /** `attempts` is what to remember: this one included, no more than `max`. */
  | { readonly kind: 'allowed'; readonly attempts: readonly number[] }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/**
 * Whether one more attempt fits. Only allowed attempts count, so that somebody who keeps knocking is let in again.
 * @param earlier the times of remembered attempts, in milliseconds since the epoch, oldest first.
 */
export function decideAttempt(earlier: readonly number[], now: number, limit: AttemptLimit): AttemptDecision {
  const windowMs = limit.windowSeconds * 1000;
  const recent = earlier.filter((at) => at > now - windowMs);
  const hindering = recent.at(-limit.max);
  if (hindering === undefined) return { kind: 'allowed', attempts: [...recent, now] };
  // A clock that ran ahead elsewhere must not make anybody wait for longer than a window.
  const waitMs = Math.min(hindering + windowMs - now, windowMs);
  return { kind: 'refused', retryAfterSeconds: Math.ceil(waitMs / 1000) };
}
