// docs/decisions/0072-people-who-leave.md
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** What a disabled person had open. */
export interface EndedAccess {
  readonly sessions: number;
  readonly invites: number;
  readonly deviceCodes: number;
}

/**
 * Ends somebody's access at once, on every node: no session and no key of theirs holds while the account is disabled. Their
 * keys are kept for the day on which they come back; sessions, invites, codes of devices and links for a new password end.
 * What they wrote, their memberships and their name stay.
 */
export async function disablePerson(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  userId: string,
): Promise<EndedAccess> {
  const ended = await deps.store.transact(disablePersonScript, { userId, now: deps.clock() });
  // A sign-in of the same moment may have made its session unseen by the first look. From here on it sees the account.
  const late = await deps.store.transact(endSessionsScript, { userId, now: deps.clock() });
  return { ...ended, sessions: ended.sessions + late };
}

export const disablePersonScript = defineAuditedScript<
  { readonly userId: string; readonly now: number },
  EndedAccess
>('people.disable', async (tx, { userId, now }) => {
  const person = await tx.users.find(userId);
  if (person?.disabledAt === null) await tx.write.setUserDisabled(userId, now);
  await tx.write.endPasswordResetsOf(userId);
  const ended = {
    sessions: await tx.write.endSessionsOf(userId),
    invites: await tx.write.deleteAllInvitesBy(userId),
    deviceCodes: await tx.write.denyDeviceCodesOf(userId),
  };
  tx.noteAudit({ action: 'person.disable', at: now, personId: userId, details: ended });
  return ended;
});

/** Lets a disabled person sign in again; their keys hold again from the next request on. */
export async function enablePerson(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  userId: string,
): Promise<void> {
  await deps.store.transact(enablePersonScript, { userId, now: deps.clock() });
}

export const enablePersonScript = defineAuditedScript<
  { readonly userId: string; readonly now: number },
  void
>('people.enable', async (tx, { userId, now }) => {
  const person = await tx.users.find(userId);
  if (person?.disabledAt == null) return;
  await tx.write.setUserDisabled(userId, null);
  tx.noteAudit({ action: 'person.enable', at: now, personId: userId });
});

/** Signs somebody out everywhere. Their keys hold on. @returns how many sessions there were. */
export async function endSessions(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  userId: string,
): Promise<number> {
  return deps.store.transact(endSessionsScript, { userId, now: deps.clock() });
}

export const endSessionsScript = defineAuditedScript<
  { readonly userId: string; readonly now: number },
  number
>('people.endSessions', async (tx, { userId, now }) => {
  const sessions = await tx.write.endSessionsOf(userId);
  if (sessions > 0) tx.noteAudit({ action: 'session.end', at: now, personId: userId, details: { sessions } });
  return sessions;
});
