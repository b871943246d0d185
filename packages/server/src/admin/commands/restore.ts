import { resolve } from 'node:path';
import { listBackups, readManifest } from '../../backup/manifest.ts';
import { putBack } from '../../backup/put-back.ts';
import { checkInstallation } from '../../service/checking/check-installation.ts';
import { movedProblem } from '../../start/reject-moved.ts';
import { type Command, type CommandInput, RejectedCommand } from '../command.ts';
import { resultOf } from './check.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into the empty data directory in STOA_DATA_DIR, and check it.',
  operands: ['directory'],
  audit: 'as a command, where there is room',
  options: {
    at: { type: 'string', required: false, says: 'name of the backup (default: the newest)' },
  },
  async prepare({ config, openBlobs }, input) {
    const { directory, name } = await chosen(input);
    if (config.database.kind !== 'sqlite') {
      throw new RejectedCommand(
        'STOA_DATABASE_URL is set: restore the database with its own tools, then run `npm run admin -- after-restore`, and `npm run admin -- repair --from <directory>` for the large contents',
      );
    }
    const manifest = await readManifest(directory, name);
    await putBack(directory, manifest, { dataDir: config.dataDir, openBlobs }, input.progress);
    // Names the restored backup, because another one may be made while this runs.
    return { ...input, options: { ...input.options, at: name } };
  },
  async run({ service, openBlobs, config }, { options: { at: name }, progress }) {
    const deps = { store: service.store, blobs: await openBlobs() };
    const report = await checkInstallation(deps, { readBytes: false }, progress);
    const moved = await movedProblem(deps);
    const next =
      moved === null
        ? 'Start the service with this STOA_DATA_DIR.'
        : `The service does not start on it yet. ${moved}`;
    return resultOf(report, {
      json: { restored: name, dataDir: config.dataDir },
      text: `Restored the backup ${name} into ${config.dataDir}. ${next} Keys and members that were removed after the backup exist again.`,
    });
  },
};

async function chosen({ operands: [given = ''], options }: CommandInput) {
  const directory = resolve(given);
  const names = await listBackups(directory);
  const newest = names.at(-1);
  if (newest === undefined) throw new RejectedCommand(`there is no backup in ${directory}`);
  const name = typeof options.at === 'string' ? options.at : newest;
  if (!names.includes(name))
    throw new RejectedCommand(`there is no backup ${name}; the backups are ${names.join(', ')}`);
  return { directory, name };
}
