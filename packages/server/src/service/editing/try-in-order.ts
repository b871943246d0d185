import { setTimeout as wait } from 'node:timers/promises';
import { type QuotaError, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { chunksOf } from '../contents/chunks-of.ts';
import { writeFile } from '../files/write-file.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { nothingChanged } from './editing.ts';

const triesMax = 8;
const pauseMsMax = 50;

/**
 * Runs one read-and-write attempt on a file at a time on this node. Another node may change the file in between, so an
 * attempt that returns null is repeated.
 * @throws WorkspaceError `overloaded` when every attempt lost
 */
export function tryInOrder<Outcome>(
  { editing }: Pick<ServiceDeps, 'editing'>,
  workspaceId: string,
  path: WorkspacePath,
  attempt: () => Promise<Outcome | null>,
): Promise<Outcome> {
  return editing.inTurn(workspaceId, path, async () => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      if (tries > 0) await wait(Math.random() * pauseMsMax * tries);
      const outcome = await attempt();
      if (outcome !== null) return outcome;
    }
    throw new WorkspaceError('overloaded', {}, nothingChanged);
  });
}

export type WrittenOver =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly version: number }
  | QuotaError;

/**
 * Writes a new version over exactly the content that was read, or creates the file.
 * @param contentType null: guess from the extension.
 * @returns null when the file has changed since; then nothing was stored.
 * @throws WorkspaceError as `writeFile`
 */
export async function writeOver(
  deps: Parameters<typeof writeFile>[0],
  access: WorkspaceAccess,
  path: WorkspacePath,
  read: Pick<FileRow, 'version' | 'contentHash'> | null,
  { content, contentType }: { readonly content: Uint8Array; readonly contentType: string | null },
): Promise<WrittenOver | null> {
  const outcome = await writeFile(deps, access, {
    path,
    precondition:
      read === null
        ? { kind: 'absent' }
        : { kind: 'standing', version: read.version, contentHash: read.contentHash },
    onConflict: 'refuse',
    contentType,
    body: chunksOf(content),
    emptyAllowed: true,
  });
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return { kind: outcome.kind, version: outcome.version };
    case 'refused':
      return null;
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return outcome;
    case 'conflict':
    case 'precondition_required':
      throw new Error(`a write without a conflicted copy ended as ${outcome.kind}`);
  }
}
