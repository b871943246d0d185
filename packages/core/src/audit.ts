/**
 * What the audit log tells of, each as `thing.verb`: the only place that knows the words. A word is never given another
 * meaning, because rows are kept for years.
 */
export const auditActions = [
  /** Somebody signed in. */
  'sign-in.accept',
  /** Somebody tried to sign in to a known account, and was refused. */
  'sign-in.refuse',
  /** A provider became one more way into an account. */
  'sign-in.link',
  'session.end',
  'person.make',
  'person.disable',
  'person.enable',
  'person.remove',
  /** By whoever knew the one before. */
  'password.change',
  /** By a link that an operator made. */
  'password.reset',
  /** By an operator. */
  'password.set',
  'reset-link.make',
  'key.make',
  /** Made for a device that asked for it. */
  'key.approve',
  /** A device that asked for one was turned away. */
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
  /** An owner took all of it, with its history, as one file. */
  'workspace.export',
  'workspace.plan',
  'workspace.lapse',
  'workspace.renew',
  /** What a disabled person owned there was given to somebody else. */
  'workspace.hand-over',
  'privacy.set',
  'privacy.clear',
  /** A private item of somebody who left or was disabled was shared, or given to a member. */
  'privacy.reclaim',
  /** An operator gave a command that changes something; what it changed in its own words has rows of its own. */
  'operator.command',
] as const;

export type AuditAction = (typeof auditActions)[number];

type ThingOf<Action> = Action extends `${infer Thing}.${string}` ? Thing : never;

/** The part before the dot, by which the log is filtered. */
export type AuditKind = ThingOf<AuditAction>;

export const auditKinds: readonly AuditKind[] = [
  ...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.')) as AuditKind)),
];

export const auditPageDefault = 50;
export const auditPageMax = 200;
