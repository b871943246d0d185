/** At most `max` attempts in any period of `windowSeconds`. */
export interface AttemptLimit {
  readonly max: number;
  readonly windowSeconds: number;
}

export type AttemptDecision =
  /** `attempts` are the times to store: at most `max`, including this one. */
  | { readonly kind: 'allowed'; readonly attempts: readonly number[] }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/**
 * Decides whether one more attempt is allowed. Only allowed attempts count, so that a caller who keeps trying gets in
 * again.
 * @param earlier the times of stored attempts, in milliseconds since the epoch, oldest first.
 */
export function decideAttempt(earlier: readonly number[], now: number, limit: AttemptLimit): AttemptDecision {
  const windowMs = limit.windowSeconds * 1000;
  const recent = earlier.filter((at) => at > now - windowMs);
  const hindering = recent.at(-limit.max);
  if (hindering === undefined) return { kind: 'allowed', attempts: [...recent, now] };
  // A clock that was ahead elsewhere must not make a caller wait longer than a window.
  const waitMs = Math.min(hindering + windowMs - now, windowMs);
  return { kind: 'refused', retryAfterSeconds: Math.ceil(waitMs / 1000) };
}
