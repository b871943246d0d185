import { isVisible, isWithin } from '@stoa/core';
import { type Caller, type CallerCredential, findGrant, viewerOf } from '../access.ts';
import type { ShareRow } from '../ports/shares.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type FoundShare, findShared } from './find-shared.ts';

export interface ShareVisit {
  readonly token: string;
  /** Canonical, relative to a shared folder; empty for the shared item itself. */
  readonly below: string;
  /** Proof that the password was given. */
  readonly proof: string | null;
  /**
   * A pass from a page that showed this file, in place of session and proof; null for requests that are not for bytes.
   */
  readonly pass: string | null;
  /** Called only for a member link. Null: not signed in. */
  readonly findCaller: () => Promise<Caller | null>;
}

export type ShareOpening =
  | (FoundShare & {
      readonly kind: 'open';
      /** The user who opened a member link, with their credential; null for a public one. */
      readonly viewer: CallerCredential | null;
      /** Expiry of the password proof; null for a link without password. Milliseconds since the epoch. */
      readonly provenUntil: number | null;
      /** True when a pass opened the bytes, so the page was opened (and counted) before. */
      readonly isByPass: boolean;
    })
  /** Unknown, revoked, private, deleted, or of another workspace, without distinction. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'locked'; readonly share: ShareRow };

type OpenDeps = Pick<ServiceDeps, 'store' | 'clock' | 'shareKeys'>;

/**
 * Opens a link for a visitor: a public link for any visitor, a member link for members of its workspace, and with its
 * password if it has one. Checks everything on each request; a pass replaces session and proof for one file's bytes.
 * @throws WorkspaceError `invalid_api_key`
 */
export async function openShare(deps: OpenDeps, visit: ShareVisit): Promise<ShareOpening> {
  const found = await findShared(deps, visit.token, visit.below);
  if (found === null) return { kind: 'unknown' };
  const passed = await openByPass(deps, found, visit);
  if (passed !== null) return passed;
  const { share } = found;
  const viewing = await findViewer(deps, share, visit);
  if (viewing.kind !== 'viewer') return viewing;
  const provenUntil = visit.proof === null ? null : deps.shareKeys.readProof(share, visit.proof);
  if (share.passwordHash === null) {
    return { kind: 'open', ...found, viewer: viewing.viewer, provenUntil: null, isByPass: false };
  }
  if (provenUntil === null || provenUntil <= deps.clock()) return { kind: 'locked', share };
  return { kind: 'open', ...found, viewer: viewing.viewer, provenUntil, isByPass: false };
}

/** Null without a valid pass for this file: the usual checks apply. */
async function openByPass(
  deps: OpenDeps,
  found: FoundShare,
  { pass, below }: ShareVisit,
): Promise<ShareOpening | null> {
  const { share } = found;
  const opened = pass === null ? null : deps.shareKeys.openPass({ shareId: share.id, below }, pass);
  const now = deps.clock();
  if (opened === null || opened.expiresAt <= now) return null;
  const { viewer, expiresAt } = opened;
  if (share.access === 'member') {
    const question = viewer && { credential: viewer, now };
    const grant = question && (await findGrant(deps.store.reader, question, share.workspaceId));
    if (grant === null || !isWithin(share.path, grant.path)) return null;
  }
  return { kind: 'open', ...found, viewer, provenUntil: expiresAt, isByPass: true };
}

/** Finds the viewer of a link, before the password check. */
export async function findViewer(
  deps: Pick<ServiceDeps, 'store'>,
  share: ShareRow,
  { findCaller }: Pick<ShareVisit, 'findCaller'>,
): Promise<
  | { readonly kind: 'viewer'; readonly viewer: CallerCredential | null }
  | Extract<ShareOpening, { kind: 'unknown' | 'sign_in' }>
> {
  switch (share.access) {
    case 'public':
      return { kind: 'viewer', viewer: null };
    case 'member': {
      const caller = await findCaller();
      if (caller === null) return { kind: 'sign_in' };
      const { credential, scopedTo } = caller;
      const reaches =
        (scopedTo === null || scopedTo === share.workspaceId) && isVisible(share.path, viewerOf(caller));
      if (!reaches || !(await isMember(deps, share, credential.userId))) return { kind: 'unknown' };
      return { kind: 'viewer', viewer: credential };
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
