/**
 * The events of the audit log, each as `thing.verb`; no other file defines these words. A word never gets another
 * meaning, because rows are kept for years.
 */
export const auditActions = [
  /** A user signed in. */
  'sign-in.accept',
  /** A sign-in to a known account was rejected. */
  'sign-in.refuse',
  /** A provider was linked to an account for sign-in. */
  'sign-in.link',
  'session.end',
  'person.make',
  'person.disable',
  'person.enable',
  'person.remove',
  /** By a caller who knew the old one. */
  'password.change',
  /** With a link that an operator made. */
  'password.reset',
  /** By an operator. */
  'password.set',
  'reset-link.make',
  'key.make',
  /** Made for a device that requested it. */
  'key.approve',
  /** A device's request for a key was denied. */
  'key.deny',
  'key.revoke',
  'invite.make',
  'invite.use',
  'invite.revoke',
  'share.make',
  'share.change',
  'share.revoke',
  'member.join',
  'member.leave',
  'member.remove',
  'member.role',
  'workspace.make',
  'workspace.import',
  /** An owner exported all of it, with its history, as one file. */
  'workspace.export',
  'workspace.plan',
  'workspace.lapse',
  'workspace.renew',
  /** A workspace that a disabled user owned was transferred to another user. */
  'workspace.hand-over',
  'privacy.set',
  'privacy.clear',
  /** A private item of a former member or a disabled user was shared, or transferred to a member. */
  'privacy.reclaim',
  /** An operator ran a command that changes data. Changes that have their own action also get their own rows. */
  'operator.command',
] as const;

export type AuditAction = (typeof auditActions)[number];

type ThingOf<Action> = Action extends `${infer Thing}.${string}` ? Thing : never;

/** The part before the dot, a filter of the log. */
export type AuditKind = ThingOf<AuditAction>;

export const auditKinds: readonly AuditKind[] = [
  ...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.')) as AuditKind)),
];

export const auditPageDefault = 50;
export const auditPageMax = 200;
