/** The closed vocabularies of the interface, in the order of the documentation. */

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
/**
 * The users who may create an account: the first user, because there is no account so far; all users; users with an
 * invite; no new users.
 */
export type SignUpState = (typeof signUpStates)[number];

export const memberRoles = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const principals = ['agent', 'human'] as const;
/** The principal that a change is recorded under. The credential decides it, never the endpoint. */
export type Principal = (typeof principals)[number];

export const conflictKeeps = ['merge', 'current', 'copy'] as const;
/** The text that stays when a conflict is resolved: both merged, that of the file, or that of the conflicted copy. */
export type ConflictKeep = (typeof conflictKeeps)[number];

export const undoOutcomes = ['restored', 'merged', 'deleted', 'recreated', 'unchanged', 'left'] as const;
/** The effect on a file of undoing a user's changes. */
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
 * The reason why undo leaves a file as it is.
 *
 * - `changed_by_others`: The actor created it, and other users changed it since.
 * - `path_taken`: The actor deleted a file, and its path is now in use.
 * - `moved`: The actor only moved it.
 * - `busy`: Other writes kept changing it.
 */
export type UndoLeftReason = (typeof undoLeftReasons)[number];

export const nodeKinds = ['file', 'folder'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Operations on a file's bytes or path. */
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

/** The op of a stored version. `delete` does not create a version. */
export type VersionOp = Exclude<(typeof fileOps)[number], 'delete'>;
