import { resolve } from 'node:path';
import type { ContentHash } from '@stoa/core';
import { listBackups, placesIn } from '../../backup/manifest.ts';
import { openObjectFolder } from '../../backup/object-folder.ts';
import { bringBack } from '../../backup/put-back.ts';
import { checkContents } from '../../service/checking/check-contents.ts';
import { checkInstallation } from '../../service/checking/check-installation.ts';
import { mendDerived, moveContentScript } from '../../service/checking/repair.ts';
import type { BlobStore } from '../../service/ports/blob-store.ts';
import { type AdminDeps, type Command, type CommandInput, RefusedCommand } from '../command.ts';
import { resultOf } from './check.ts';

export const repair: Command = {
  name: 'repair',
  summary:
    'Count usage anew, forget what is remembered of nothing, and bring lost large contents back from a backup; then check.',
  operands: [],
  options: {
    from: {
      type: 'string',
      required: false,
      says: 'a backup directory to bring lost large contents back from',
    },
    contents: { type: 'boolean', required: false, says: 'read every byte, so that wrong ones are found too' },
  },
  async run({ service, openBlobs }, input) {
    const blobs = await openBlobs();
    const readBytes = input.options.contents === true;
    const from = typeof input.options.from === 'string' ? resolve(input.options.from) : null;
    if (from !== null && (await listBackups(from)).length === 0) {
      throw new RefusedCommand(`there is no backup in ${from}`);
    }
    const mended = await mendDerived(service);
    const back = from === null ? 0 : await bringLostBack(service, blobs, { from, readBytes }, input.progress);
    const report = await checkInstallation({ store: service.store, blobs }, { readBytes }, input.progress);
    return resultOf(report, {
      json: { counters: mended.counters, rows: mended.rows, contents: back },
      text: `Mended: ${mended.counters} counters, ${mended.rows} rows forgotten, ${back} contents brought back.`,
    });
  },
};

async function bringLostBack(
  { store }: AdminDeps['service'],
  blobs: BlobStore,
  { from, readBytes }: { readonly from: string; readonly readBytes: boolean },
  progress: CommandInput['progress'],
): Promise<number> {
  const objects = openObjectFolder(placesIn(from).objects);
  const lost: { readonly workspaceId: string; readonly contentHash: ContentHash }[] = [];
  await checkContents(
    { store, blobs },
    {
      readBytes,
      report: (_rule, workspaceId, contentHash) => lost.push({ workspaceId, contentHash }),
      progress: (contents) => progress(`${contents} contents looked at, ${lost.length} lost`),
    },
  );
  let back = 0;
  for (const { workspaceId, contentHash } of lost) {
    const kept = await bringBack(objects, blobs, workspaceId, contentHash);
    if (kept === null) continue;
    const { generation } = kept;
    if (await store.transact(moveContentScript, { workspaceId, contentHash, generation })) back += 1;
    progress(`${back} of ${lost.length} contents brought back`);
  }
  return back;
}
