// Owners can export everything, unless the export would contain other members' private files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkspaceError } from '@stoa/core';
import { pack } from 'tar-stream';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { requireOwner } from '../members/require-manager.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { RejectedExport } from './format.ts';
import { packExport, spoolRecords } from './pack-export.ts';

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock' | 'downloads'>;

const taking = 'export the workspace';

/** Writes the audit entry of an export before its first byte, and checks access again after its rows were read. */
export const recordExportScript = defineAuditedScript<ChangeAuthor, void>(
  'workspaces.note-export',
  async (tx, author) => {
    const { workspace, role } = await openForChange(tx, author, 'workspace');
    requireOwner({ role }, taking);
    const { id: workspaceId, name } = workspace;
    tx.noteAudit({ action: 'workspace.export', at: author.now, workspaceId, targetName: name });
  },
);

/**
 * Streams a snapshot of a workspace as a tar that an import accepts, the same as the operators' command. The records
 * are spooled to disk, and contents are read on demand, so that memory stays constant.
 * @param isWanted whether the client is still connected. Many may leave while their exports wait for each other.
 * @throws WorkspaceError `forbidden_role`, `private_item` when other members have private items, `overloaded`, also
 * when it is no longer wanted, `stored_bytes_missing`; after the first bytes the tar is truncated instead
 */
export async function* streamExport(
  deps: Deps,
  access: WorkspaceAccess,
  isWanted: () => boolean = () => true,
): AsyncGenerator<Uint8Array> {
  requireOwner(access, taking);
  const { userId } = access.actor;
  const release = await deps.downloads.acquire(userId);
  if (!isWanted()) {
    release();
    throw new WorkspaceError('overloaded');
  }
  const folder = await mkdtemp(join(tmpdir(), 'stoa-export-')).catch((error) => {
    release();
    throw error;
  });
  const tar = pack();
  let packed: Promise<unknown> | null = null;
  try {
    const said = () => {
      if (!isWanted()) throw new WorkspaceError('overloaded');
    };
    const taken = await deps.store.snapshot(async (reader) => {
      if (await reader.exports.hasPrivateOfOthers(access.workspace.id, userId)) throw privateOfOthers();
      return await spoolRecords(reader, access.workspace.id, folder, deps.clock(), said);
    });
    await deps.store.transact(recordExportScript, authorOf(access, deps.clock()));
    packed = packExport(deps, taken, folder, tar, said);
    packed.catch((error) => tar.destroy(error));
    for await (const chunk of tar as AsyncIterable<Uint8Array>) yield chunk;
    await packed;
  } catch (error) {
    if (!(error instanceof RejectedExport)) throw error;
    throw new WorkspaceError(
      'stored_bytes_missing',
      {},
      'Stored bytes of this workspace are missing or wrong, so it cannot be exported: ask the operator to check the storage',
    );
  } finally {
    tar.destroy();
    await packed?.catch(() => {});
    await rm(folder, { recursive: true, force: true });
    release();
  }
}

/** An export contains everything, but private items must stay invisible to other members. */
function privateOfOthers(): WorkspaceError {
  return new WorkspaceError(
    'private_item',
    {},
    'Other members have or had private items here, and an export would show them: ask the operator for one',
  );
}
