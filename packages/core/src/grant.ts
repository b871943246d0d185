// docs/decisions/0025-narrow-keys.md
import { WorkspaceError } from './errors.ts';
import type { PathPrefix } from './workspace-path.ts';

/** The access levels of a key, lowest first. */
export const keyAccesses = ['read', 'comment', 'write'] as const;
export type KeyAccess = (typeof keyAccesses)[number];

/** The part of its user's rights that a credential has. */
export interface Grant {
  readonly access: KeyAccess;
  /** The folder or file that it is limited to; empty: whole workspaces. */
  readonly path: PathPrefix;
}

/** The grant of a session, and of a key without limits. */
export const fullGrant: Grant = { access: 'write', path: '' };

/**
 * The right that an operation needs from a credential, lowest first. Each includes the one before it.
 *
 * - `comment`: Creates, resolves or replies to a thread.
 * - `write`: Changes anything else in a workspace.
 * - `workspace`: Changes the workspace itself (settings, members, invites) or creates one.
 */
const needs = ['read', 'comment', 'write', 'workspace'] as const;
export type Need = (typeof needs)[number];

/** Returns the highest right of a credential. A key that is limited to a folder cannot change the workspace itself. */
export function mostOf({ access, path }: Grant): Need {
  return access === 'write' && path === '' ? 'workspace' : access;
}

export function isWithinNeed(need: Need, most: Need): boolean {
  return needs.indexOf(need) <= needs.indexOf(most);
}

/** @throws WorkspaceError `key_only_reads`, `key_only_comments`, `key_not_for_workspace` */
export function rejectBeyond(grant: Grant, need: Need): void {
  if (isWithinNeed(need, mostOf(grant))) return;
  switch (grant.access) {
    case 'read':
      throw new WorkspaceError('key_only_reads');
    case 'comment':
      throw new WorkspaceError('key_only_comments');
    case 'write':
      throw new WorkspaceError('key_not_for_workspace');
  }
}

const dayMs = 24 * 3_600_000;
export const keyDaysMax = 3650;

/** Returns the expiry of a key that is valid for `days` days. Milliseconds since the epoch. */
export function endOfDays(createdAt: number, days: number): number {
  return createdAt + days * dayMs;
}
