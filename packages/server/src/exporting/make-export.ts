// docs/decisions/0028-exports.md
import { createWriteStream } from 'node:fs';
import { access, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { type ExportHeader, RejectedExport } from '../service/exporting/format.ts';
import {
  type ExportCounts,
  packExport,
  spoolRecords,
  type TakenRecords,
} from '../service/exporting/pack-export.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import { needingRoom } from '../storage/no-room.ts';

type Deps = Pick<ServiceDeps, 'store' | 'blobs'>;

const roomAdvice =
  'An export needs space there for the whole workspace. Free some space, or name a file on another disk, and run the command again.';

export interface ExportReport extends ExportCounts {
  readonly header: ExportHeader;
}

/**
 * Writes a snapshot of a workspace to a tar while the service runs, atomically. Every byte is verified on the way.
 * @throws RejectedExport if the file exists, or bytes are missing or damaged; NoRoom; WorkspaceError
 * `workspace_not_found`
 */
export async function makeExport(
  deps: Deps,
  workspaceId: string,
  file: string,
  now: number,
  progress: (step: string) => void,
): Promise<ExportReport> {
  if (await isThere(file)) throw new RejectedExport(`${file} exists already: name another file.`);
  return await needingRoom(dirname(file), roomAdvice, () => exportTo(deps, workspaceId, file, now, progress));
}

async function exportTo(
  deps: Deps,
  workspaceId: string,
  file: string,
  now: number,
  progress: (step: string) => void,
): Promise<ExportReport> {
  const folder = await mkdtemp(`${file}.`);
  try {
    const taken = await deps.store.snapshot((reader) =>
      spoolRecords(reader, workspaceId, folder, now, progress),
    );
    const staged = join(folder, 'export.tar');
    const counts = await writeTar(deps, taken, folder, staged, progress);
    await rename(staged, file);
    await syncFolder(dirname(file), () => {});
    return { header: taken.header, ...counts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeTar(
  deps: Deps,
  taken: TakenRecords,
  folder: string,
  staged: string,
  progress: (step: string) => void,
): Promise<ExportCounts> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(staged, { flags: 'wx', mode: 0o600, flush: true }));
  try {
    const [counts] = await Promise.all([packExport(deps, taken, folder, tar, progress), written]);
    return counts;
  } catch (error) {
    tar.destroy();
    await written.catch(() => {});
    throw error;
  }
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
