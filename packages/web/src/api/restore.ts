import type { RestoreOutcome } from '@stoa/client';
import { restoring as texts } from '../text/en/restoring.ts';
import { client } from './client.ts';
import { WorkspaceFullError } from './full-workspace.ts';

/**
 * Makes an earlier version the newest one. Where it is not in the present stay of the file its content hash names it.
 * @returns the new version's number
 * @throws an error whose message people can read
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
      return texts.somebodyWasFaster(outcome.conflictCopyPath);
    case 'quota_exceeded':
    case 'file_count_exceeded':
      return texts.workspaceFull;
    case 'history_exceeded':
      return texts.historyFull;
  }
}

/** Brings back the newest version of a file that was deleted, with its comments, links and icon. */
export async function restoreDeleted(workspaceId: string, path: string): Promise<void> {
  const { versions } = await client.listVersions(workspaceId, path);
  const newest = versions[0];
  if (newest === undefined) throw new Error(texts.nothingKept);
  const { version: targetVersion, contentHash } = newest;
  await restoreVersion(workspaceId, { path, targetVersion, contentHash });
}
