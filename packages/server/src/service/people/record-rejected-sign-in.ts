// docs/decisions/0030-audit-log.md
import { defineAuditedScript } from '../auditing/audited-script.ts';

interface RejectedSignIn {
  readonly userId: string;
  readonly via: 'password' | 'provider';
  readonly reason: 'wrong_password' | 'account_disabled';
  readonly now: number;
}

const hourMs = 3_600_000;
/** Per user: strangers can cause these entries, so they must not fill the log. */
const recordedPerHour = 30;

/** Writes the audit entry of a rejected sign-in. The last entry of an hour says that further ones are omitted. */
export const recordRejectedSignInScript = defineAuditedScript<RejectedSignIn, void>(
  'people.noteRefusedSignIn',
  async (tx, { userId, via, reason, now }) => {
    const windowStart = now - (now % hourMs);
    const bucket = `refused-sign-in:${userId}`;
    const count = await tx.write.countAttempt(bucket, windowStart, windowStart + hourMs);
    if (count > recordedPerHour) return;
    const details = { via, reason, ...(count === recordedPerHour ? { moreLeftOut: true } : {}) };
    tx.noteAudit({ action: 'sign-in.refuse', at: now, personId: userId, details });
  },
);
