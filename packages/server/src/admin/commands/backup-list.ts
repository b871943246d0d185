import { resolve } from 'node:path';
import { lookAtBackups, type SeenBackup } from '../../backup/look-at-backups.ts';
import { listBackups, type Manifest } from '../../backup/manifest.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { formatTable } from '../format-table.ts';

/** Number of missing objects that `--json` names for each backup. */
const namedMax = 100;

export const backupList: Command = {
  name: 'backup list',
  summary:
    'List the backups of a directory and whether each is complete. Needs no settings and changes nothing. Exit code 3: a backup is incomplete.',
  operands: ['directory'],
  audit: 'nothing changes',
  options: {
    contents: { type: 'boolean', required: false, says: 'also read every byte of their objects' },
  },
  // Also works for a lost installation, so it must not open a database, which would create one.
  async runAlone(_target, { operands: [given = ''], options, progress }) {
    const directory = resolve(given);
    if ((await listBackups(directory)).length === 0) {
      throw new RejectedCommand(`there is no backup in ${directory}`);
    }
    const seen = await lookAtBackups(directory, options.contents === true, progress);
    const isWhole = ({ manifest, missing }: SeenBackup) => manifest !== null && missing.length === 0;
    return {
      json: { directory, backups: seen.map((backup) => ({ ...described(backup), whole: isWhole(backup) })) },
      text: [
        formatTable(
          ['BACKUP', 'DATABASE', 'LARGE CONTENTS', ''],
          seen.map((backup) => [backup.name, ...cellsOf(backup)]),
        ),
        seen.every(isWhole)
          ? `Every backup is complete${options.contents === true ? ', and every byte is correct' : ' (--contents reads every byte)'}.`
          : 'A backup with an intact database restores everything except the missing objects, which the restore names. From a backup with a damaged database, `repair --from` can still restore large contents. While the installation exists, `backup <directory> --contents` adds the missing objects.',
      ].join('\n'),
      foundProblems: !seen.every(isWhole),
    };
  },
};

function cellsOf({ manifest, missing, isDatabaseDamaged }: SeenBackup): readonly string[] {
  if (manifest === null) return ['', '', 'damaged, or of a newer release'];
  const { count, bytes, lost } = manifest.contents;
  const notes = [
    ...(missing.length > 0 ? [`${missing.length} objects are missing or damaged`] : []),
    ...(isDatabaseDamaged ? ['it cannot be restored: its database is damaged'] : []),
    ...(lost.length > 0 ? [`${lost.length} contents were lost before the backup`] : []),
    ...(manifest.contents.list === undefined
      ? ['without a list of its contents, which were not checked']
      : []),
  ];
  return [databaseOf(manifest), `${count} of ${bytes} bytes`, notes.join('; ')];
}

function databaseOf({ database }: Manifest): string {
  return database.kind === 'sqlite'
    ? `${database.bytes} bytes`
    : `PostgreSQL, up to ${database.moment ?? 'its start'}`;
}

function described({ name, manifest, missing, isDatabaseDamaged }: SeenBackup) {
  if (manifest === null) return { name, madeAt: null };
  const { madeAt, database, contents } = manifest;
  return {
    name,
    madeAt,
    database: database.kind,
    ...(database.kind === 'sqlite' ? { databaseBytes: database.bytes } : { moment: database.moment }),
    contents: { count: contents.count, bytes: contents.bytes, lost: contents.lost.length },
    databaseDamaged: isDatabaseDamaged,
    missing: missing.slice(0, namedMax),
    missingCount: missing.length,
  };
}
