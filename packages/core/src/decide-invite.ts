// Invites from before a removal do not admit the removed member: an open link would undo the removal.

/** The facts that decide on an invite link. Times are milliseconds since the epoch. */
export interface InviteFacts {
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null: unlimited. */
  readonly usesLeft: number | null;
}

/** Whether a link can still be used. It expires exactly at `expiresAt`. */
export function isInviteOpen({ expiresAt, usesLeft }: InviteFacts, now: number): boolean {
  return now < expiresAt && (usesLeft === null || usesLeft > 0);
}

/**
 * Whether a link admits this user, apart from its remaining uses. Only taking a use shows whether one is left, because
 * other users come at the same time.
 * A user whom another member removed cannot come back with a link from before the removal: otherwise an open link for
 * many users would undo it.
 * @param removedAt the time of the user's last removal by another user, or null.
 */
export function admits(
  { createdAt, expiresAt }: Omit<InviteFacts, 'usesLeft'>,
  removedAt: number | null,
  now: number,
): boolean {
  if (removedAt !== null && createdAt < removedAt) return false;
  return now < expiresAt;
}
