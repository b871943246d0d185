import type { Brand } from './brand.ts';

/** The lifetime of a device code: time to approve it and fetch its key (interface: limits). */
export const deviceCodeLifetimeSeconds = 600;
/** The shortest time between two polls. */
export const devicePollIntervalSeconds = 5;

/** The stored state. Expiry is not stored: it follows from the time. */
export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'consumed';

/** The facts about a device code that decisions need. Times are milliseconds since the epoch. */
export interface DeviceCodeFacts {
  readonly state: DeviceCodeState;
  readonly expiresAt: number;
  readonly lastPolledAt: number | null;
  /** The user who first looked it up or approved it. */
  readonly claimedBy: string | null;
}

export type PollDecision = 'consumed' | 'expired' | 'denied' | 'slow_down' | 'pending' | 'deliver';

/** Decides a poll with a known code (interface: device-flow, Poll). The first fault in this order counts. */
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
 * Decides what a signed-in user sees for a code. A code that another user claimed is unknown: a caller who guesses a
 * code, or is sent another user's, must not learn that it exists.
 */
export function decideReview(code: DeviceCodeFacts | null, personId: string, now: number): ReviewDecision {
  if (code === null) return 'unknown';
  if (code.claimedBy !== null && code.claimedBy !== personId) return 'unknown';
  if (code.state === 'consumed') return 'consumed';
  if (now >= code.expiresAt) return 'expired';
  return code.state;
}

/** The code that a user compares and types: two groups of four characters with a hyphen, in upper case. */
export type UserCode = Brand<string, 'UserCode'>;

/**
 * Has no vowels, so that codes do not form words.
 * Has at most one character of each group that looks or sounds alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, 6 G, U V.
 */
export const userCodeAlphabet = 'CDFGHJKMNPQRTVWXY3479';
export const userCodeCharacters = 8;

const groupCharacters = 4;
/** Maximum length of a typed code: its characters and a few separators. */
const typedMaxCharacters = 32;
const compactCode = new RegExp(`^[${userCodeAlphabet}]{${userCodeCharacters}}$`);

/** Parses a typed code, in either case and with or without hyphens and spaces; null if it cannot be a code. */
export function parseUserCode(typed: string): UserCode | null {
  if (typed.length > typedMaxCharacters) return null;
  const compact = typed.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase();
  return compactCode.test(compact) ? formatted(compact) : null;
}

/** @param draws one random integer below the alphabet's length for each character. */
export function userCodeOf(draws: readonly number[]): UserCode {
  const compact = draws.map((draw) => userCodeAlphabet.charAt(draw)).join('');
  if (!compactCode.test(compact)) throw new Error('a user code was drawn from outside its alphabet');
  return formatted(compact);
}

function formatted(compact: string): UserCode {
  return `${compact.slice(0, groupCharacters)}-${compact.slice(groupCharacters)}` as UserCode;
}
