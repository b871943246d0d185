// docs/decisions/0058-narrow-keys.md
import { WorkspaceError } from './errors.ts';
import type { PathPrefix } from './workspace-path.ts';

/** What a key may do at most, from the least on. */
export const keyAccesses = ['read', 'comment', 'write'] as const;
export type KeyAccess = (typeof keyAccesses)[number];

/** How far a credential reaches of what its person may do. */
export interface Grant {
  readonly access: KeyAccess;
  /** The folder or file that it is for; empty: whole workspaces. */
  readonly path: PathPrefix;
}

/** Of a session, and of a key that is not narrow. */
export const fullGrant: Grant = { access: 'write', path: '' };

/**
 * What an operation asks of a credential, each more than the one before it.
 * - `comment`: starts, answers or resolves a thread.
 * - `write`: changes anything else in a workspace.
 * - `workspace`: changes the workspace itself: settings, members, invites; or makes one.
 */
const needs = ['read', 'comment', 'write', 'workspace'] as const;
export type Need = (typeof needs)[number];

/** The most that a credential may do: a key that is for a folder changes nothing beyond what lies in it. */
export function mostOf({ access, path }: Grant): Need {
  return access === 'write' && path === '' ? 'workspace' : access;
}

export function isWithinNeed(need: Need, most: Need): boolean {
  return needs.indexOf(need) <= needs.indexOf(most);
}

/** @throws WorkspaceError `key_only_reads`, `key_only_comments`, `key_not_for_workspace` */
export function refuseBeyond(grant: Grant, need: Need): void {
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

/** When a key ends that is made for so many days. Milliseconds since the epoch. */
export function endOfDays(createdAt: number, days: number): number {
  return createdAt + days * dayMs;
}
