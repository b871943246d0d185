import type { MemberRole } from '../vocabulary.ts';

export interface RoleChangeFacts {
  readonly actorRole: MemberRole;
  /** Null when the person is no member. */
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
