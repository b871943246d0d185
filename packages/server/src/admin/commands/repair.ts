import { resolve } from 'node:path';
import { type BackedUpContent, openBackupContents } from '../../backup/backup-contents.ts';
import { listBackups } from '../../backup/manifest.ts';
import { checkInstallation } from '../../service/checking/check-installation.ts';
import { repairDerived } from '../../service/checking/repair.ts';
import { repairLost, repairQuarantined } from '../../service/checking/repair-contents.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { resultOf } from './check.ts';

export const repair: Command = {
  name: 'repair',
  summary:
    'Recount usage, remove orphaned records, take correct contents out of quarantine and restore lost ones from a backup. Then check.',
  operands: [],
  audit: 'as a command',
  options: {
    from: {
      type: 'string',
      required: false,
      says: 'backup directory from which to restore lost contents',
    },
    contents: { type: 'boolean', required: false, says: 'read every byte, to find damaged contents' },
  },
  async run({ service, openBlobs, config }, input) {
    const blobs = await openBlobs();
    const readBytes = input.options.contents === true;
    const from = typeof input.options.from === 'string' ? resolve(input.options.from) : null;
    if (from !== null && (await listBackups(from)).length === 0) {
      throw new RejectedCommand(`there is no backup in ${from}`);
    }
    const deps = { store: service.store, clock: service.clock, blobs };
    const backup = from === null ? null : await openBackupContents(from, config.dataDir);
    try {
      const bringBack =
        backup === null ? null : (content: BackedUpContent) => backup.bringBack(content, blobs);
      const { released, back } = await repairQuarantined(deps, bringBack);
      const found = bringBack === null ? 0 : await repairLost(deps, { readBytes, bringBack }, input.progress);
      const contents = back + found;
      // Runs last, because it also removes the records of quarantined contents that are correct again.
      const { counters, rows } = await repairDerived(service);
      const report = await checkInstallation(deps, { readBytes }, input.progress);
      return resultOf(report, {
        json: { counters, rows, released, contents },
        text: `Repaired: ${counters} counters, ${rows} records removed, ${released} contents taken out of quarantine, ${contents} restored.`,
      });
    } finally {
      await backup?.[Symbol.asyncDispose]();
    }
  },
};
