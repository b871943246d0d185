/** The closed vocabularies of the interface. Order is the order in which they are documented. */

export const workspaceColors = [
  'blue',
  'violet',
  'emerald',
  'amber',
  'rose',
  'cyan',
  'slate',
  'neutral',
] as const;
export type WorkspaceColor = (typeof workspaceColors)[number];

export const workspaceThemes = [
  'light',
  'dark',
  'dracula',
  'nord',
  'solarized-light',
  'rose-pine',
  'service',
] as const;
export type WorkspaceTheme = (typeof workspaceThemes)[number];

export const signUpStates = ['first', 'open', 'invite', 'closed'] as const;
/** Who may make an account: the first person, who is still to come, anybody, people with an invite, nobody. */
export type SignUpState = (typeof signUpStates)[number];

export const memberRoles = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const principals = ['agent', 'human'] as const;
/** Who a change is recorded under, decided by the credential and never by the endpoint. */
export type Principal = (typeof principals)[number];

export const conflictKeeps = ['merge', 'current', 'copy'] as const;
/** Which text stays when a conflict is resolved: both in one, that of the file, or that of the conflicted copy. */
export type ConflictKeep = (typeof conflictKeeps)[number];

export const undoOutcomes = ['restored', 'merged', 'deleted', 'recreated', 'unchanged', 'left'] as const;
/** What undoing somebody's changes does with a file. */
export type UndoOutcome = (typeof undoOutcomes)[number];

export const undoLeftReasons = [
  'lines_overlap',
  'not_text',
  'too_large',
  'too_many_versions',
  'version_not_kept',
  'changed_by_others',
  'path_taken',
  'moved',
  'workspace_full',
  'busy',
] as const;
/**
 * Why undoing leaves a file as it is.
 * - `changed_by_others`: the actor created it, and others changed it since.
 * - `path_taken`: the actor deleted a file, and something else is at its path.
 * - `moved`: the actor moved it, and did nothing else to it.
 * - `busy`: it was being changed all the time.
 */
export type UndoLeftReason = (typeof undoLeftReasons)[number];

export const nodeKinds = ['file', 'folder'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Operations that act on a file's bytes or place. */
export const fileOps = ['write', 'move', 'delete', 'conflict', 'restore'] as const;
export const accessOps = ['access_revoked', 'access_granted'] as const;
export const commentOps = [
  'comment_created',
  'comment_replied',
  'comment_resolved',
  'comment_reopened',
] as const;
export type CommentOp = (typeof commentOps)[number];
export const changeOps = [...fileOps, ...accessOps, ...commentOps] as const;
export type ChangeOp = (typeof changeOps)[number];

/** The op of a stored version: `delete` makes none. */
export type VersionOp = Exclude<(typeof fileOps)[number], 'delete'>;
