import type { MemberRole, NodeKind } from './vocabulary.ts';

/** Who can open a link: members of the workspace, or anybody. */
export const shareAccesses = ['member', 'public'] as const;
export type ShareAccess = (typeof shareAccesses)[number];

/** What somebody wants a link to be. */
export interface ShareWish {
  readonly kind: NodeKind;
  readonly access: ShareAccess;
  readonly hasPassword: boolean;
  readonly allowScripts: boolean;
  readonly via: 'session' | 'key';
}

export type ShareWishDecision =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'folder_scripts' }
  | { readonly kind: 'needs_session' };

/**
 * Whether a link may be as wished (interface: shares, Make a link). That a folder never runs scripts comes
 * first: it holds for everybody.
 */
export function decideShareWish({
  kind,
  access,
  hasPassword,
  allowScripts,
  via,
}: ShareWish): ShareWishDecision {
  if (kind === 'folder' && allowScripts) return { kind: 'folder_scripts' };
  const opensMore = access === 'public' || hasPassword || allowScripts;
  return opensMore && via === 'key' ? { kind: 'needs_session' } : { kind: 'allowed' };
}

/** Who may change or end a link: its creator, owners and admins. */
export function mayManageShare({
  role,
  isCreator,
}: {
  readonly role: MemberRole;
  readonly isCreator: boolean;
}): boolean {
  switch (role) {
    case 'owner':
    case 'admin':
      return true;
    case 'member':
      return isCreator;
  }
}
