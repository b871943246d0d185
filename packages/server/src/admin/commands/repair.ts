import { resolve } from 'node:path';
import { type BackedUpContent, openBackupContents } from '../../backup/backup-contents.ts';
import { listBackups } from '../../backup/manifest.ts';
import { checkInstallation } from '../../service/checking/check-installation.ts';
import { mendLost, mendQuarantined } from '../../service/checking/mend-contents.ts';
import { mendDerived } from '../../service/checking/repair.ts';
import { type Command, RefusedCommand } from '../command.ts';
import { resultOf } from './check.ts';

export const repair: Command = {
  name: 'repair',
  summary:
    'Count usage anew, forget what is remembered of nothing, take back contents that were put aside and are right, and bring lost ones back from a backup; then check.',
  operands: [],
  audit: 'as a command',
  options: {
    from: {
      type: 'string',
      required: false,
      says: 'a backup directory to bring lost contents back from',
    },
    contents: { type: 'boolean', required: false, says: 'read every byte, so that wrong ones are found too' },
  },
  async run({ service, openBlobs, config }, input) {
    const blobs = await openBlobs();
    const readBytes = input.options.contents === true;
    const from = typeof input.options.from === 'string' ? resolve(input.options.from) : null;
    if (from !== null && (await listBackups(from)).length === 0) {
      throw new RefusedCommand(`there is no backup in ${from}`);
    }
    const deps = { store: service.store, clock: service.clock, blobs };
    const backup = from === null ? null : await openBackupContents(from, config.dataDir);
    try {
      const bringBack =
        backup === null ? null : (content: BackedUpContent) => backup.bringBack(content, blobs);
      const { released, back } = await mendQuarantined(deps, bringBack);
      const found = bringBack === null ? 0 : await mendLost(deps, { readBytes, bringBack }, input.progress);
      const contents = back + found;
      // Last: what was put aside and is right again is forgotten.
      const { counters, rows } = await mendDerived(service);
      const report = await checkInstallation(deps, { readBytes }, input.progress);
      return resultOf(report, {
        json: { counters, rows, released, contents },
        text: `Mended: ${counters} counters, ${rows} rows forgotten, ${released} contents taken back, ${contents} brought back.`,
      });
    } finally {
      await backup?.[Symbol.asyncDispose]();
    }
  },
};
