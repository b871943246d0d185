import type { RestoreOutcome } from '@stoa/client';
import { restoring as texts } from '../text/en/restoring.ts';
import { client } from './client.ts';
import { WorkspaceFullError } from './full-workspace.ts';

/**
 * Restores an earlier version as the newest one. The content hash identifies a version of an earlier file at the path.
 * @returns the new version's number
 * @throws an error with a message for the user
 */
export async function restoreVersion(
  workspaceId: string,
  target: { readonly path: string; readonly targetVersion: number; readonly contentHash?: string },
): Promise<number> {
  const outcome = await client.restore(workspaceId, target);
  if (outcome.kind === 'restored') return outcome.version;
  const why = whyNotRestored(outcome);
  throw outcome.kind === 'conflict' ? new Error(why) : new WorkspaceFullError(workspaceId, why);
}

export function whyNotRestored(outcome: Exclude<RestoreOutcome, { readonly kind: 'restored' }>): string {
  switch (outcome.kind) {
    case 'conflict':
      return texts.savedByOthers(outcome.conflictCopyPath);
    case 'quota_exceeded':
    case 'file_count_exceeded':
      return texts.workspaceFull;
    case 'history_exceeded':
      return texts.historyFull;
  }
}

/** Restores the newest version of a deleted file, with its comments, links and icon. */
export async function restoreDeleted(workspaceId: string, path: string): Promise<void> {
  const { versions } = await client.listVersions(workspaceId, path);
  const newest = versions[0];
  if (newest === undefined) throw new Error(texts.nothingKept);
  const { version: targetVersion, contentHash } = newest;
  await restoreVersion(workspaceId, { path, targetVersion, contentHash });
}
