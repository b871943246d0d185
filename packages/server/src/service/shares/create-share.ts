import { hash } from 'node:crypto';
import {
  type ContentHash,
  decideShareOptions,
  invalidRequest,
  type NodeKind,
  type ShareAccess,
  sharePasswordMinCharacters,
  sharesPerPathMax,
  type Viewer,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { Reader } from '../ports/reader.ts';
import type { PinnedContent, ShareRow } from '../ports/shares.ts';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden, rejectHidden } from '../privacy/find-owner.ts';
import { hasLeftInPrivate } from '../privacy/left-in-private.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface ShareInput {
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  readonly access: ShareAccess;
  readonly password: string | null;
  readonly pinnedVersion: number | null;
  readonly pinnedContentHash: ContentHash | null;
  readonly allowScripts: boolean;
}

interface CreateShareCommand
  extends ChangeAuthor,
    Omit<ShareRow, 'workspaceId' | 'pinned' | 'viewCount' | 'createdBy' | 'createdAt'> {
  readonly pinnedVersion: number | null;
  readonly pinnedContentHash: ContentHash | null;
  readonly isPinHidden: boolean;
}

/**
 * Creates a link to a file or a folder (interface: shares).
 * @throws WorkspaceError `invalid_request` (scripts for a folder, wrong kind, a pin that does not match),
 * `share_needs_session`, `file_not_found`, `private_item`, `too_many_shares`
 */
export async function createShare(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'shareKeys'>,
  access: WorkspaceAccess,
  input: ShareInput,
  hashPassword: (password: string) => Promise<string>,
): Promise<ShareRow> {
  rejectOptions({ ...input, hasPassword: input.password !== null, via: access.credential.via });
  const { password, ...wanted } = input;
  rejectShortPassword(password);
  await rejectUnseen(deps.store.reader, access, input.path);
  const isPinHidden = await pinsHidden(deps, access, input);
  const id = deps.ids('share');
  return deps.store.transact(createShareScript, {
    ...authorOf(access, deps.clock()),
    ...wanted,
    isPinHidden,
    id,
    tokenHash: hash('sha256', deps.shareKeys.tokenOf(id)),
    passwordHash: password === null ? null : await hashPassword(password),
  });
}

/** Checked after `rejectOptions`: a key that may not set a password gets that error, whatever the password. */
function rejectShortPassword(password: string | null): void {
  if (password === null || [...password].length >= sharePasswordMinCharacters) return;
  throw invalidRequest(`password: must have at least ${sharePasswordMinCharacters} characters`);
}

/**
 * Checked before the password is hashed. Always runs both queries, so that the time does not distinguish a hidden path
 * from an absent one.
 */
async function rejectUnseen(reader: Reader, { workspace, viewer }: WorkspaceAccess, path: WorkspacePath) {
  const hides = await isHidden(reader, workspace.id, path, viewer);
  const sees = await reader.files.hasVisibleAtOrBelow(workspace.id, path, viewer);
  if (hides || !sees) throw new WorkspaceError('file_not_found');
}

/** Whether the caller may not see the version: it then counts as missing. */
async function pinsHidden(
  { store }: Pick<ServiceDeps, 'store'>,
  { workspace: { id }, viewer }: WorkspaceAccess,
  { path, pinnedVersion }: Pick<ShareInput, 'path' | 'pinnedVersion'>,
): Promise<boolean> {
  if (pinnedVersion === null) return false;
  return store.snapshot(async (reader) => {
    const found = await reader.files.findVersion(id, path, pinnedVersion);
    return found !== null && (await hasLeftInPrivate(reader, id, found, viewer));
  });
}

/** @throws WorkspaceError `invalid_request`, `share_needs_session` */
export function rejectOptions(options: Parameters<typeof decideShareOptions>[0]): void {
  const decision = decideShareOptions(options);
  switch (decision.kind) {
    case 'folder_scripts':
      throw invalidRequest('allowScripts: a folder link can never run scripts');
    case 'needs_session':
      throw new WorkspaceError('share_needs_session');
    case 'allowed':
      return;
  }
}

export const createShareScript = defineAuditedScript<CreateShareCommand, ShareRow>(
  'shares.create',
  async (tx, command) => {
    await openForChange(tx, command, 'write');
    const { actor, viewer, credential, now, pinnedVersion, pinnedContentHash, isPinHidden, ...wanted } =
      command;
    const { workspaceId, path } = wanted;
    const ownerId = await rejectHidden(tx, workspaceId, path, viewer);
    await rejectOtherKind(tx, wanted, viewer);
    // A caller who sees a path with an owner is that owner.
    if (ownerId !== null) throw new WorkspaceError('private_item');
    const pin = { version: pinnedVersion, contentHash: pinnedContentHash, isHidden: isPinHidden };
    const pinned = await readPinned(tx, wanted, pin);
    if ((await tx.shares.countAt(workspaceId, path)) >= sharesPerPathMax) {
      throw new WorkspaceError('too_many_shares');
    }
    const share: ShareRow = { ...wanted, createdBy: actor.userId, createdAt: now, pinned, viewCount: 0 };
    await tx.write.insertShare(share);
    const { access, kind, allowScripts } = wanted;
    const details = { access, kind, allowScripts, hasPassword: wanted.passwordHash !== null };
    const about = { at: now, workspaceId, targetId: share.id };
    tx.noteAudit({ action: 'share.make', ...about, path: { path, ownerId }, details });
    return share;
  },
);

type Target = Pick<ShareRow, 'workspaceId' | 'path' | 'kind'>;

async function rejectOtherKind(tx: Transaction, { workspaceId, path, kind }: Target, viewer: Viewer) {
  const isFile = (await tx.files.find(workspaceId, path)) !== null;
  if (!isFile && !(await tx.files.hasVisibleAtOrBelow(workspaceId, path, viewer))) {
    throw new WorkspaceError('file_not_found');
  }
  const found = isFile ? 'file' : 'folder';
  if (kind !== found) throw invalidRequest(`kind: must be ${found}, because "${path}" is a ${found}`);
}

async function readPinned(
  tx: Transaction,
  { workspaceId, path, kind }: Target,
  {
    version,
    contentHash,
    isHidden,
  }: {
    readonly version: number | null;
    readonly contentHash: ContentHash | null;
    readonly isHidden: boolean;
  },
): Promise<PinnedContent | null> {
  if (version === null && contentHash === null) return null;
  if (kind === 'folder') throw invalidRequest('A folder cannot be pinned');
  if (version === null) {
    const found = contentHash && (await tx.shares.findVersionWithHash(workspaceId, path, contentHash));
    if (found) return found;
    throw invalidRequest('pinnedContentHash: no version has these bytes');
  }
  const found = await tx.files.findVersion(workspaceId, path, version);
  if (found === null || isHidden) throw invalidRequest('pinnedVersion: there is no such version');
  if (contentHash !== null && contentHash !== found.contentHash) {
    throw invalidRequest('pinnedContentHash: pinnedVersion has other bytes');
  }
  const { sizeBytes, contentType } = found;
  return { version, contentHash: found.contentHash, sizeBytes, contentType };
}
