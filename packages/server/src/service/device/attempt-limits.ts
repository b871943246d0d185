import type { AttemptLimit } from '@stoa/core';

/** Codes asked for by one address (interface: limits). */
export const codesPerAddress: AttemptLimit = { max: 5, windowSeconds: 10 * 60 };
/** Approvals tried by one person, whatever came of them: a code must not be found by guessing (interface: limits). */
export const approvalsPerPerson: AttemptLimit = { max: 10, windowSeconds: 15 * 60 };
/** Codes looked up or denied by one person: room for every honest slip, and none for guessing. */
export const lookUpsPerPerson: AttemptLimit = { max: 60, windowSeconds: 15 * 60 };
