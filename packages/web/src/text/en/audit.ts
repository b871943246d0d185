import type { AuditAction, AuditKind } from '@stoa/core';
import { visibleName } from '../visible-name.ts';

/** The fields of a log entry that its text uses. */
interface Reported {
  readonly action: AuditAction;
  readonly person: { readonly name: string } | null;
  readonly target: { readonly name: string | null } | null;
  readonly path: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

type Message = (entry: Reported) => string;

const person = ({ person: whom }: Reported): string =>
  whom === null || whom.name === '' ? 'a former member' : visibleName(whom.name);
const target = ({ target: what }: Reported): string => visibleName(what?.name ?? '');
/** The path is null where the item is private to another user. */
const item = ({ path }: Reported): string => (path === null ? 'an item' : visibleName(path));
const detail = ({ details }: Reported, name: string): string => visibleName(String(details[name] ?? ''));

/** The action of an entry, phrased to follow the name of a person. */
const messages: Readonly<Record<AuditAction, Message>> = {
  'sign-in.accept': () => 'signed in',
  'sign-in.refuse': () => 'failed to sign in',
  'sign-in.link': () => 'linked a sign-in provider',
  'session.end': () => 'ended a session',
  'person.make': (entry) => `created the account of ${person(entry)}`,
  'person.disable': (entry) => `disabled the account of ${person(entry)}`,
  'person.enable': (entry) => `enabled the account of ${person(entry)}`,
  'person.remove': (entry) => `removed the account of ${person(entry)}`,
  'password.change': () => 'changed a password',
  'password.reset': () => 'reset a password',
  'password.set': (entry) => `set the password of ${person(entry)}`,
  'reset-link.make': (entry) => `created a reset link for ${person(entry)}`,
  'key.make': (entry) => `created the key ${target(entry)}`,
  'key.approve': (entry) => `approved a device: key ${target(entry)}`,
  'key.deny': () => 'denied a device',
  'key.revoke': (entry) => `revoked the key ${target(entry)}`,
  'invite.make': () => 'created an invite link',
  'invite.use': () => 'used an invite link',
  'invite.revoke': () => 'revoked an invite link',
  'share.make': (entry) => `created a share link to ${item(entry)}`,
  'share.change': (entry) => `changed a share link to ${item(entry)}`,
  'share.revoke': (entry) => `revoked a share link to ${item(entry)}`,
  'member.join': (entry) => `joined as ${detail(entry, 'role')}`,
  'member.leave': () => 'left the workspace',
  'member.remove': (entry) => `removed ${person(entry)}`,
  'member.role': (entry) =>
    `changed the role of ${person(entry)} from ${detail(entry, 'from')} to ${detail(entry, 'to')}`,
  'workspace.make': () => 'created the workspace',
  'workspace.import': () => 'imported the workspace',
  'workspace.export': () => 'exported everything, with its history',
  'workspace.plan': (entry) => `changed the plan to ${detail(entry, 'plan')}`,
  'workspace.lapse': () => 'made the workspace read-only',
  'workspace.renew': () => 'made the workspace writable again',
  'workspace.hand-over': (entry) => `handed over the items of ${person(entry)}`,
  'privacy.set': (entry) => `made ${item(entry)} private`,
  'privacy.clear': (entry) => `shared ${item(entry)} with all members`,
  'privacy.reclaim': (entry) => `took back ${item(entry)}, which belonged to ${person(entry)}`,
  'operator.command': (entry) => `ran the command ${target(entry)}`,
};

/** Texts of a workspace's audit log. */
export const audit = {
  what: 'The audit log',
  table: 'Audit log',
  intro: 'Changes to people, keys and links. File changes are under Activity.',
  onlyOwners: 'Only owners can read the audit log.',
  about: 'About',
  everything: 'Everything',
  kinds: {
    member: 'Members and roles',
    invite: 'Invite links',
    key: 'Keys',
    share: 'Share links',
    privacy: 'Private items',
    workspace: 'The workspace',
    operator: 'Operator commands',
  } satisfies Partial<Record<AuditKind, string>>,
  columnWhat: 'What',
  columnFrom: 'From',
  columnWhen: 'When',
  /** An operator command comes from the server itself. */
  noAddress: 'the server',
  operator: 'Operator',
  nobody: 'Unknown',
  withKey: (name: string, key: string) => `${name}, with key ${key}`,
  empty: 'The log is empty.',
  emptyFiltered: 'No entries match.',
  older: 'Show older',
  download: 'Download',
  downloadDescription: 'These entries and all older ones, one line of JSON each.',
  sentence: (entry: Reported) => messages[entry.action](entry),
} as const;
