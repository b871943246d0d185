// docs/decisions/0073-sign-in-by-openid-connect.md

import { parseVisibleLine, WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { SignupMode } from './may-register.ts';
import { noteRefusedSignInScript } from './note-refused-sign-in.ts';
import { parseEmail, personNameMaxCharacters } from './parse-new-person.ts';
import { refuseRegistration } from './register-person.ts';

/** Somebody at a provider: `accountId` is who they are there, whatever their e-mail address. */
interface ProviderIdentity {
  readonly providerId: string;
  readonly accountId: string;
}

/** Somebody whom a provider sent, as it describes them. */
interface ProviderGuest extends ProviderIdentity {
  readonly signup: SignupMode;
  readonly inviteTokenHash: string | null;
}

/** What became of somebody whom a provider sent. The refusals are shown in the app by these names. */
export type ProviderOutcome =
  | 'admitted'
  | 'linked'
  | 'email_not_verified'
  /** There is an account with this address that signs in otherwise: its person has to connect the two. */
  | 'account_exists'
  | 'sign_up_closed'
  | 'account_disabled'
  /** Their account at the provider is somebody else's here. */
  | 'linked_elsewhere'
  /** The browser is no longer signed in as who began to link. */
  | 'session_changed';

type Deps = Pick<ServiceDeps, 'store' | 'clock' | 'ids'>;

/**
 * Lets somebody in whom the provider knows, with a new account where sign-up allows one. An account with the same e-mail
 * address that was made otherwise is never theirs by that: nobody has shown that whoever made it owns the address.
 */
export async function admitByProvider(
  deps: Deps,
  guest: ProviderGuest & {
    /** Null when the provider says none. */
    readonly email: string | null;
    /** Whether the provider knows the address to be theirs. */
    readonly emailVerified: boolean;
    /** Empty when the provider says none. */
    readonly name: string;
  },
): Promise<ProviderOutcome> {
  const { users } = deps.store.reader;
  const { providerId, accountId, signup, inviteTokenHash } = guest;
  const known = await users.findBySignIn(providerId, accountId);
  if (known?.disabledAt === null) return 'admitted';
  if (known !== null) {
    const refused = { userId: known.id, via: 'provider', reason: 'account_disabled' } as const;
    await deps.store.transact(noteRefusedSignInScript, { ...refused, now: deps.clock() });
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
  // As every registration: they take turns, so that of two that find nobody one is the second.
  await tx.write.countAttempt('registration', 0, Number.MAX_SAFE_INTEGER);
  const { signup, inviteTokenHash, ...person } = command;
  if ((await tx.users.findBySignIn(person.providerId, person.accountId)) !== null) return 'admitted';
  if ((await tx.users.findByEmail(person.email)) !== null) return 'account_exists';
  try {
    const visitor = { kind: 'visitor', signup, inviteTokenHash } as const;
    await refuseRegistration(tx, visitor, person.email, person.createdAt);
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

/** Lets somebody who is signed in also come by the provider from now on. */
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
  // In turn with everybody whom the provider sends.
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

/** A provider's names are not ours to judge: one that cannot be shown gives way to the address. */
function nameOf(given: string, email: string): string {
  const ofAddress = email.split('@', 1)[0] ?? email;
  const cut = [...given.trim()].slice(0, personNameMaxCharacters).join('');
  try {
    return parseVisibleLine('name', cut === '' ? ofAddress : cut, personNameMaxCharacters);
  } catch {
    return ofAddress;
  }
}
