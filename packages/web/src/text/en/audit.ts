import type { AuditAction, AuditKind } from '@stoa/core';
import { visibleName } from '../visible-name.ts';

/** What an entry of the log says of what was done. */
interface Told {
  readonly action: AuditAction;
  readonly person: { readonly name: string } | null;
  readonly target: { readonly name: string | null } | null;
  readonly path: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

type Sentence = (entry: Told) => string;

const person = ({ person: whom }: Told): string =>
  whom === null || whom.name === '' ? 'a former member' : visibleName(whom.name);
const target = ({ target: what }: Told): string => visibleName(what?.name ?? '');
/** A path that was private to somebody else is not told. */
const item = ({ path }: Told): string => (path === null ? 'an item' : visibleName(path));
const detail = ({ details }: Told, name: string): string => visibleName(String(details[name] ?? ''));

/** What was done, so that it can be read after a person's name. */
const sentences: Readonly<Record<AuditAction, Sentence>> = {
  'sign-in.accept': () => 'signed in',
  'sign-in.refuse': () => 'was refused at sign-in',
  'sign-in.link': () => 'linked a sign-in provider',
  'session.end': () => 'ended a session',
  'person.make': (entry) => `made the account of ${person(entry)}`,
  'person.disable': (entry) => `disabled the account of ${person(entry)}`,
  'person.enable': (entry) => `enabled the account of ${person(entry)}`,
  'person.remove': (entry) => `removed the account of ${person(entry)}`,
  'password.change': () => 'changed a password',
  'password.reset': () => 'reset a password',
  'password.set': (entry) => `set the password of ${person(entry)}`,
  'reset-link.make': (entry) => `made a reset link for ${person(entry)}`,
  'key.make': (entry) => `made the key ${target(entry)}`,
  'key.approve': (entry) => `approved a device: key ${target(entry)}`,
  'key.deny': () => 'turned a device away',
  'key.revoke': (entry) => `revoked the key ${target(entry)}`,
  'invite.make': () => 'made an invite link',
  'invite.use': () => 'used an invite link',
  'invite.revoke': () => 'revoked an invite link',
  'share.make': (entry) => `made a share link to ${item(entry)}`,
  'share.change': (entry) => `changed a share link to ${item(entry)}`,
  'share.revoke': (entry) => `revoked a share link to ${item(entry)}`,
  'member.join': (entry) => `joined as ${detail(entry, 'role')}`,
  'member.leave': () => 'left the workspace',
  'member.remove': (entry) => `removed ${person(entry)}`,
  'member.role': (entry) =>
    `changed the role of ${person(entry)} from ${detail(entry, 'from')} to ${detail(entry, 'to')}`,
  'workspace.make': () => 'made the workspace',
  'workspace.import': () => 'imported the workspace',
  'workspace.export': () => 'exported everything, with its history',
  'workspace.plan': (entry) => `changed the plan to ${detail(entry, 'plan')}`,
  'workspace.lapse': () => 'made the workspace read-only',
  'workspace.renew': () => 'let the workspace be written to again',
  'workspace.hand-over': (entry) => `handed over what belonged to ${person(entry)}`,
  'privacy.set': (entry) => `made ${item(entry)} private`,
  'privacy.clear': (entry) => `shared ${item(entry)} with all members`,
  'privacy.reclaim': (entry) => `took back ${item(entry)}, which belonged to ${person(entry)}`,
  'operator.command': (entry) => `gave the command ${target(entry)}`,
};

/** Texts of a workspace's audit log. */
export const audit = {
  what: 'The audit log',
  table: 'Audit log',
  intro:
    'Who changed what people may do here, and from where. Changes of files stand in the activity and the history.',
  onlyOwners: 'Owners of this workspace read its audit log.',
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
  /** A command of the operator comes from the server itself. */
  noAddress: 'the server',
  operator: 'Operator',
  nobody: 'Not known',
  withKey: (name: string, key: string) => `${name}, by the key ${key}`,
  empty: 'Nothing is in the log yet.',
  emptyFiltered: 'Nothing of this kind is in the log.',
  older: 'Show older',
  download: 'Download',
  downloadDescription: 'All that is shown here and all that is older, a line of JSON for each.',
  sentence: (entry: Told) => sentences[entry.action](entry),
} as const;
