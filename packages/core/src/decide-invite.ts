// docs/decisions/0021-members-and-invites.md

/** What an invite link is judged by. Times are milliseconds since the epoch. */
export interface InviteFacts {
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null: as many as come. */
  readonly usesLeft: number | null;
}

/** Whether a link still lets anybody in. It has expired at the very moment it names. */
export function isInviteOpen({ expiresAt, usesLeft }: InviteFacts, now: number): boolean {
  return now < expiresAt && (usesLeft === null || usesLeft > 0);
}

/**
 * Whether a link lets this person in, if it has a use left: only taking one tells, since others come at the same time.
 * Somebody removed by another member cannot come back by a link from before the removal: else a link kept open for many would
 * undo it.
 * @param removedAt when the person was last removed by another, or null.
 */
export function admits(
  { createdAt, expiresAt }: Omit<InviteFacts, 'usesLeft'>,
  removedAt: number | null,
  now: number,
): boolean {
  if (removedAt !== null && createdAt < removedAt) return false;
  return now < expiresAt;
}
