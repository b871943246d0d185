import type { MemberRole } from './vocabulary.ts';

/** What a removal is judged by. `targetRole` is null when the person is not a member. */
export interface RemovalFacts {
  readonly actorRole: MemberRole;
  readonly isSelf: boolean;
  readonly targetRole: MemberRole | null;
  /** Owners the workspace has now. */
  readonly owners: number;
}

export type RemovalDecision =
  | { readonly kind: 'remove' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'no_such_member' }
  | { readonly kind: 'last_owner' };

/**
 * Whether a member may be removed (interface: members, Removal). Anyone may leave; owners and admins remove others,
 * an admin no owner. A workspace never loses its last owner: nobody could give the role again.
 */
export function decideRemoval({ actorRole, isSelf, targetRole, owners }: RemovalFacts): RemovalDecision {
  if (!isSelf && !mayManageMembers(actorRole)) return { kind: 'forbidden' };
  if (targetRole === null) return { kind: 'no_such_member' };
  if (!isSelf && targetRole === 'owner' && actorRole !== 'owner') return { kind: 'forbidden' };
  if (targetRole === 'owner' && owners <= 1) return { kind: 'last_owner' };
  return { kind: 'remove' };
}

/** Owners and admins invite people, see and end invites, and remove members. */
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
  /** Null when the person is not a member. */
  readonly targetRole: MemberRole | null;
  readonly wantedRole: MemberRole;
  /** Owners the workspace has now. */
  readonly owners: number;
}

export type RoleChangeDecision =
  | { readonly kind: 'change' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'no_such_member' }
  | { readonly kind: 'last_owner' };

/** Whether a member's role may be changed: by owners only, and never so that no owner is left. */
export function decideRoleChange(facts: RoleChangeFacts): RoleChangeDecision {
  const { actorRole, targetRole, wantedRole, owners } = facts;
  if (actorRole !== 'owner') return { kind: 'forbidden' };
  if (targetRole === null) return { kind: 'no_such_member' };
  if (targetRole === wantedRole) return { kind: 'unchanged' };
  if (targetRole === 'owner' && owners <= 1) return { kind: 'last_owner' };
  return { kind: 'change' };
}
