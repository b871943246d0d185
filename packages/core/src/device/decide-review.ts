import type { DeviceCodeFacts } from './device-code-state.ts';

export type ReviewDecision = 'unknown' | 'consumed' | 'expired' | 'denied' | 'approved' | 'pending';

/**
 * What a person who is signed in finds when they name a code. A code that another person claimed is an unknown one:
 * whoever guesses a code, or is sent somebody's, must not learn that it exists.
 */
export function decideReview(code: DeviceCodeFacts | null, personId: string, now: number): ReviewDecision {
  if (code === null) return 'unknown';
  if (code.claimedBy !== null && code.claimedBy !== personId) return 'unknown';
  if (code.state === 'consumed') return 'consumed';
  if (now >= code.expiresAt) return 'expired';
  return code.state;
}
