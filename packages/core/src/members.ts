import type { MemberRole } from './vocabulary.ts';

/** The facts that decide on a removal. `targetRole` is null if the user is not a member. */
export interface RemovalFacts {
  readonly actorRole: MemberRole;
  readonly isSelf: boolean;
  readonly targetRole: MemberRole | null;
  /** Number of owners now. */
  readonly owners: number;
}

export type RemovalDecision =
  | { readonly kind: 'remove' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'no_such_member' }
  | { readonly kind: 'last_owner' };

/**
 * Decides whether a member may be removed (interface: members, Removal). Every member may leave. Owners and admins
 * remove others, but an admin cannot remove an owner. A workspace keeps at least one owner: without one, no member
 * could assign the role again.
 */
export function decideRemoval({ actorRole, isSelf, targetRole, owners }: RemovalFacts): RemovalDecision {
  if (!isSelf && !mayManageMembers(actorRole)) return { kind: 'forbidden' };
  if (targetRole === null) return { kind: 'no_such_member' };
  if (!isSelf && targetRole === 'owner' && actorRole !== 'owner') return { kind: 'forbidden' };
  if (targetRole === 'owner' && owners <= 1) return { kind: 'last_owner' };
  return { kind: 'remove' };
}

/** Whether a member may invite users, see and end invites, and remove members: owners and admins. */
export function mayManageMembers(role: MemberRole): boolean {
  switch (role) {
    case 'owner':
    case 'admin':
      return true;
    case 'member':
      return false;
  }
}

export interface RoleChangeFacts {
  readonly actorRole: MemberRole;
  /** Null if the user is not a member. */
  readonly targetRole: MemberRole | null;
  readonly wantedRole: MemberRole;
  /** Number of owners now. */
  readonly owners: number;
}

export type RoleChangeDecision =
  | { readonly kind: 'change' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'no_such_member' }
  | { readonly kind: 'last_owner' };

/** Decides whether a member's role may be changed: only by owners, and at least one owner must remain. */
export function decideRoleChange(facts: RoleChangeFacts): RoleChangeDecision {
  const { actorRole, targetRole, wantedRole, owners } = facts;
  if (actorRole !== 'owner') return { kind: 'forbidden' };
  if (targetRole === null) return { kind: 'no_such_member' };
  if (targetRole === wantedRole) return { kind: 'unchanged' };
  if (targetRole === 'owner' && owners <= 1) return { kind: 'last_owner' };
  return { kind: 'change' };
}
