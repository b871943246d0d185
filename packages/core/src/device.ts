import type { Brand } from './brand.ts';

/** How long a device code may be approved and its key fetched (interface: limits). */
export const deviceCodeLifetimeSeconds = 600;
/** The shortest time between two polls. */
export const devicePollIntervalSeconds = 5;

/** As kept. That a code has expired is not kept: the time says it. */
export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'consumed';

/** What the decisions need to know of a device code. Times are milliseconds since the epoch. */
export interface DeviceCodeFacts {
  readonly state: DeviceCodeState;
  readonly expiresAt: number;
  readonly lastPolledAt: number | null;
  /** The person who looked it up or approved it first. */
  readonly claimedBy: string | null;
}

export type PollDecision = 'consumed' | 'expired' | 'denied' | 'slow_down' | 'pending' | 'deliver';

/** What a poll of a known code comes to (interface: device-flow, Poll). The first fault that holds counts. */
export function decidePoll(
  { state, expiresAt, lastPolledAt }: Pick<DeviceCodeFacts, 'state' | 'expiresAt' | 'lastPolledAt'>,
  now: number,
): PollDecision {
  if (state === 'consumed') return 'consumed';
  if (now >= expiresAt) return 'expired';
  if (state === 'denied') return 'denied';
  if (lastPolledAt !== null && now < lastPolledAt + devicePollIntervalSeconds * 1000) return 'slow_down';
  return state === 'approved' ? 'deliver' : 'pending';
}

export type ReviewDecision = 'unknown' | 'consumed' | 'expired' | 'denied' | 'approved' | 'pending';

/**
 * What a person who is signed in finds when they name a code. A code that another person claimed is an unknown one:
 * somebody who guesses a code, or is sent another's, must not learn that it exists.
 */
export function decideReview(code: DeviceCodeFacts | null, personId: string, now: number): ReviewDecision {
  if (code === null) return 'unknown';
  if (code.claimedBy !== null && code.claimedBy !== personId) return 'unknown';
  if (code.state === 'consumed') return 'consumed';
  if (now >= code.expiresAt) return 'expired';
  return code.state;
}

/** The code that a person compares and types: two groups of four characters with a hyphen, in upper case. */
export type UserCode = Brand<string, 'UserCode'>;

/** No vowels, so that no word comes out, and of characters that look or sound alike (0 O, 1 I L, 2 Z, 5 S, 8 B, 6 G, U V) none. */
export const userCodeAlphabet = 'CDFGHJKMNPQRTVWXY3479';
export const userCodeCharacters = 8;

const groupCharacters = 4;
/** A typed code is longer than its characters by a few separators at most. */
const typedMaxCharacters = 32;
const compactCode = new RegExp(`^[${userCodeAlphabet}]{${userCodeCharacters}}$`);

/** What a person typed, in either case and with or without hyphens and spaces; null when no code can be meant. */
export function parseUserCode(typed: string): UserCode | null {
  if (typed.length > typedMaxCharacters) return null;
  const compact = typed.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase();
  return compactCode.test(compact) ? formatted(compact) : null;
}

/** @param draws one whole number below the alphabet's length for each character. */
export function userCodeOf(draws: readonly number[]): UserCode {
  const compact = draws.map((draw) => userCodeAlphabet.charAt(draw)).join('');
  if (!compactCode.test(compact)) throw new Error('a user code was drawn from outside its alphabet');
  return formatted(compact);
}

function formatted(compact: string): UserCode {
  return `${compact.slice(0, groupCharacters)}-${compact.slice(groupCharacters)}` as UserCode;
}
