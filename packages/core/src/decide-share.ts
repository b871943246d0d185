import type { MemberRole, NodeKind } from './vocabulary.ts';

/** The users who can open a link: members of the workspace, or anyone. */
export const shareAccesses = ['member', 'public'] as const;
export type ShareAccess = (typeof shareAccesses)[number];

/** The requested properties of a link. */
export interface ShareOptions {
  readonly kind: NodeKind;
  readonly access: ShareAccess;
  readonly hasPassword: boolean;
  readonly allowScripts: boolean;
  readonly via: 'session' | 'key';
}

export type ShareOptionsDecision =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'folder_scripts' }
  | { readonly kind: 'needs_session' };

/**
 * Decides whether a link may have the requested properties (interface: shares, Make a link). Checks folders first: no
 * caller can let a folder run scripts.
 */
export function decideShareOptions({
  kind,
  access,
  hasPassword,
  allowScripts,
  via,
}: ShareOptions): ShareOptionsDecision {
  if (kind === 'folder' && allowScripts) return { kind: 'folder_scripts' };
  const opensMore = access === 'public' || hasPassword || allowScripts;
  return opensMore && via === 'key' ? { kind: 'needs_session' } : { kind: 'allowed' };
}

/** Whether a member may change or end a link: its creator, owners and admins. */
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
