import type { Caller } from '../access/workspace-access.ts';
import type { ShareRow } from '../ports/share-store.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type FoundShare, findShared } from './find-shared.ts';
import type { ShareKeys } from './share-keys.ts';

/** What a visitor brings. */
export interface ShareVisit {
  readonly token: string;
  /** Canonical, relative to a shared folder; empty for the shared item itself. */
  readonly below: string;
  /** From the page that led here. */
  readonly ticket: string | null;
  /** That the password was given. */
  readonly proof: string | null;
  /** Only asked for a member link. Null: nobody is signed in. */
  readonly findCaller: () => Promise<Caller | null>;
}

export type ShareOpening =
  | (FoundShare & {
      readonly kind: 'open';
      /** Who opened a member link; null for a public one. */
      readonly viewerId: string | null;
      /** True when a page was opened, and counted, before. */
      readonly isFollowUp: boolean;
    })
  /** Unknown, revoked, private, deleted, of a workspace of others: all alike. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'locked'; readonly share: ShareRow };

type OpenDeps = Pick<ServiceDeps, 'store' | 'clock'> & { readonly shareKeys: ShareKeys };

/**
 * Opens a link for a visitor: a public one for anybody, a member one for members of its workspace, and either only with
 * its password when it has one. A ticket stands for session and password alike, but membership is asked for each time.
 * @throws WorkspaceError `invalid_api_key`
 */
export async function openShare(deps: OpenDeps, visit: ShareVisit): Promise<ShareOpening> {
  const found = await findShared(deps, visit.token, visit.below);
  if (found === null) return { kind: 'unknown' };
  const { share } = found;
  const ticket = visit.ticket === null ? null : deps.shareKeys.openTicket(visit.ticket);
  const now = deps.clock();
  if (ticket !== null && ticket.shareId === share.id && ticket.expiresAt > now) {
    const { viewerId } = ticket;
    const mayView =
      share.access === 'public' || (viewerId !== null && (await isMember(deps, share, viewerId)));
    if (mayView) return { kind: 'open', ...found, viewerId, isFollowUp: true };
  }
  const viewer = await findViewer(deps, share, visit);
  if (viewer.kind !== 'viewer') return viewer;
  if (share.passwordHash !== null && !isProven(deps, share, visit.proof, now)) {
    return { kind: 'locked', share };
  }
  return { kind: 'open', ...found, viewerId: viewer.viewerId, isFollowUp: false };
}

/** Who opens the link, before its password is asked for. */
export async function findViewer(
  deps: Pick<ServiceDeps, 'store'>,
  share: ShareRow,
  { findCaller }: Pick<ShareVisit, 'findCaller'>,
): Promise<
  | { readonly kind: 'viewer'; readonly viewerId: string | null }
  | Extract<ShareOpening, { kind: 'unknown' | 'sign_in' }>
> {
  switch (share.access) {
    case 'public':
      return { kind: 'viewer', viewerId: null };
    case 'member': {
      const caller = await findCaller();
      if (caller === null) return { kind: 'sign_in' };
      const viewerId = caller.actor.userId;
      const reaches = caller.scopedTo === null || caller.scopedTo === share.workspaceId;
      if (!reaches || !(await isMember(deps, share, viewerId))) return { kind: 'unknown' };
      return { kind: 'viewer', viewerId };
    }
  }
}

async function isMember(
  { store }: Pick<ServiceDeps, 'store'>,
  { workspaceId }: ShareRow,
  userId: string,
): Promise<boolean> {
  return (await store.reader.members.find(workspaceId, userId)) !== null;
}

function isProven({ shareKeys }: OpenDeps, share: ShareRow, proof: string | null, now: number): boolean {
  const until = proof === null ? null : shareKeys.readProof(share, proof);
  return until !== null && until > now;
}
