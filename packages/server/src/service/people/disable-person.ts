// A mark on the account, which every credential check reads. Flags on keys and sessions would miss new ones.
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Number of sessions, invites and codes that disabling ended. */
export interface EndedAccess {
  readonly sessions: number;
  readonly invites: number;
  readonly deviceCodes: number;
}

/**
 * Ends a user's access immediately, on every node: their sessions and keys are invalid while the account is disabled.
 * Keys are kept for when the account is enabled again; sessions, invites, device codes and password links end. Their
 * texts, memberships and name stay.
 */
export async function disablePerson(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  userId: string,
): Promise<EndedAccess> {
  const ended = await deps.store.transact(disablePersonScript, { userId, now: deps.clock() });
  // A concurrent sign-in may have created a session that the first transaction missed. Later sign-ins see the disabled
  // account.
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

/** Lets a disabled user sign in again; their keys work again from the next request on. */
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

/** Signs a user out everywhere. Their keys stay valid. @returns the number of sessions. */
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
