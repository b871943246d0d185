import { isInviteOpen, WorkspaceError } from '@stoa/core';
import type { InvitePreview } from '../ports/invites.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { hashInviteToken } from './invite-token.ts';

/**
 * Returns the workspace of a link, to any holder of the link.
 * @throws WorkspaceError `invite_not_found`, `invite_gone` when it has expired or is used up.
 */
export async function previewInvite(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  token: string,
): Promise<InvitePreview> {
  const tokenHash = hashInviteToken(token);
  const found = tokenHash === null ? null : await deps.store.reader.invites.previewByHash(tokenHash);
  if (found === null) throw new WorkspaceError('invite_not_found');
  if (!isInviteOpen(found.invite, deps.clock())) throw new WorkspaceError('invite_gone');
  return found;
}
