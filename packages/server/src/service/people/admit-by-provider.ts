// docs/decisions/0029-openid-connect.md

import { parseVisibleLine, personNameMaxCharacters, WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { SignupMode } from './may-register.ts';
import { parseEmail } from './parse-new-person.ts';
import { recordRejectedSignInScript } from './record-rejected-sign-in.ts';
import { rejectRegistration } from './register-person.ts';

/** An account at a provider: `accountId` identifies it, even if its e-mail address changes. */
interface ProviderIdentity {
  readonly providerId: string;
  readonly accountId: string;
}

/** A user as the provider describes them. */
interface ProviderGuest extends ProviderIdentity {
  readonly signup: SignupMode;
  readonly inviteTokenHash: string | null;
}

/** Result of a sign-in by a provider. The app shows a message for each name. */
export type ProviderOutcome =
  | 'admitted'
  | 'linked'
  | 'email_not_verified'
  /** An account with this address exists and signs in otherwise: its user has to link the two. */
  | 'account_exists'
  | 'sign_up_closed'
  | 'account_disabled'
  /** Their account at the provider is linked to another user here. */
  | 'linked_elsewhere'
  /** The user who began to link is no longer signed in. */
  | 'session_changed';

type Deps = Pick<ServiceDeps, 'store' | 'clock' | 'ids'>;

/**
 * Signs a provider's user in, and creates an account where sign-up allows it. It never links an existing account with
 * the same e-mail address: its creator may not own that address.
 */
export async function admitByProvider(
  deps: Deps,
  guest: ProviderGuest & {
    /** Null when the provider sends none. */
    readonly email: string | null;
    /** Whether the provider has verified the address. */
    readonly emailVerified: boolean;
    /** Empty when the provider sends none. */
    readonly name: string;
  },
): Promise<ProviderOutcome> {
  const { users } = deps.store.reader;
  const { providerId, accountId, signup, inviteTokenHash } = guest;
  const known = await users.findBySignIn(providerId, accountId);
  if (known?.disabledAt === null) return 'admitted';
  if (known !== null) {
    const rejected = { userId: known.id, via: 'provider', reason: 'account_disabled' } as const;
    await deps.store.transact(recordRejectedSignInScript, { ...rejected, now: deps.clock() });
    return 'account_disabled';
  }
  if (guest.email === null || !guest.emailVerified) return 'email_not_verified';
  const email = parseEmail(guest.email);
  const ids = { userId: deps.ids('user'), accountRowId: deps.ids('account') };
  const name = nameOf(guest.name, email);
  const asked = { providerId, accountId, signup, inviteTokenHash };
  return deps.store.transact(admitByProviderScript, {
    ...asked,
    ...ids,
    email,
    name,
    createdAt: deps.clock(),
  });
}

export const admitByProviderScript = defineAuditedScript<
  ProviderGuest & {
    readonly email: string;
    readonly name: string;
    readonly userId: string;
    readonly accountRowId: string;
    readonly createdAt: number;
  },
  ProviderOutcome
>('people.admitByProvider', async (tx, command) => {
  // Serialises all registrations, so that of two concurrent ones the second finds the first.
  await tx.write.countAttempt('registration', 0, Number.MAX_SAFE_INTEGER);
  const { signup, inviteTokenHash, ...person } = command;
  if ((await tx.users.findBySignIn(person.providerId, person.accountId)) !== null) return 'admitted';
  if ((await tx.users.findByEmail(person.email)) !== null) return 'account_exists';
  try {
    const visitor = { kind: 'visitor', signup, inviteTokenHash } as const;
    await rejectRegistration(tx, visitor, person.email, person.createdAt);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'registration_closed') return 'sign_up_closed';
    throw error;
  }
  await tx.write.insertUserOfProvider(person);
  const { userId, createdAt: at } = person;
  const about = { at, personId: userId, byUserId: userId };
  tx.noteAudit({ action: 'person.make', ...about, details: { via: 'provider' } });
  return 'admitted';
});

/** Links a provider's account to a signed-in user, as an additional sign-in method. */
export async function linkByProvider(
  deps: Deps,
  { providerId, accountId, userId }: ProviderIdentity & { readonly userId: string },
): Promise<ProviderOutcome> {
  const accountRowId = deps.ids('account');
  const command = { providerId, accountId, userId, accountRowId, createdAt: deps.clock() };
  return deps.store.transact(linkByProviderScript, command);
}

export const linkByProviderScript = defineAuditedScript<
  ProviderIdentity & { readonly userId: string; readonly accountRowId: string; readonly createdAt: number },
  ProviderOutcome
>('people.linkByProvider', async (tx, command) => {
  // Serialised with sign-ins by a provider.
  await tx.write.countAttempt('registration', 0, Number.MAX_SAFE_INTEGER);
  const owner = await tx.users.findBySignIn(command.providerId, command.accountId);
  if (owner !== null) return owner.id === command.userId ? 'linked' : 'linked_elsewhere';
  const person = await tx.users.find(command.userId);
  if (person === null) return 'session_changed';
  if (person.disabledAt !== null) return 'account_disabled';
  await tx.write.insertProviderSignIn(command);
  const { userId, createdAt: at } = command;
  tx.noteAudit({ action: 'sign-in.link', at, personId: userId, byUserId: userId });
  return 'linked';
});

/** A name that cannot be shown is replaced by the address, because users cannot fix it here. */
function nameOf(given: string, email: string): string {
  const ofAddress = email.split('@', 1)[0] ?? email;
  const cut = [...given.trim()].slice(0, personNameMaxCharacters).join('');
  try {
    return parseVisibleLine('name', cut === '' ? ofAddress : cut, personNameMaxCharacters);
  } catch {
    return ofAddress;
  }
}
