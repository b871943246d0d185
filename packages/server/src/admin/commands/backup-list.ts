import { resolve } from 'node:path';
import { lookAtBackups, type SeenBackup } from '../../backup/look-at-backups.ts';
import { listBackups, type Manifest } from '../../backup/manifest.ts';
import { type Command, RefusedCommand } from '../command.ts';
import { formatTable } from '../format-table.ts';

/** How many of its missing objects a backup names with `--json`. */
const namedMax = 100;

export const backupList: Command = {
  name: 'backup list',
  summary:
    'Show the backups of a directory, and whether each has all that it needs; no settings are needed, and nothing is changed. Exit code 3: one has not.',
  operands: ['directory'],
  audit: 'nothing changes',
  options: {
    contents: { type: 'boolean', required: false, says: 'read every byte that they need too' },
  },
  // Of a lost installation, too: so no database is opened, which would make one.
  async runAlone(_target, { operands: [given = ''], options, progress }) {
    const directory = resolve(given);
    if ((await listBackups(directory)).length === 0) {
      throw new RefusedCommand(`there is no backup in ${directory}`);
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
          ? `Each has all that it needs${options.contents === true ? ', and every byte is right' : ' (--contents reads every byte)'}.`
          : 'A backup whose database is whole brings back all but what is missing, and its restore names that. Of one whose database is damaged `repair --from` still brings back large contents. While the installation is there, `backup <directory> --contents` adds what is missing here.',
      ].join('\n'),
      foundProblems: !seen.every(isWhole),
    };
  },
};

function cellsOf({ manifest, missing, isDatabaseDamaged }: SeenBackup): readonly string[] {
  if (manifest === null) return ['', '', 'damaged, or of a newer release'];
  const { count, bytes, lost } = manifest.contents;
  const notes = [
    ...(missing.length > 0 ? [`${missing.length} objects are missing or wrong`] : []),
    ...(isDatabaseDamaged ? ['it cannot be restored: its database is damaged'] : []),
    ...(lost.length > 0 ? [`${lost.length} contents were lost before it was made`] : []),
    ...(manifest.contents.list === undefined
      ? ['without a list of its contents: they were not looked for']
      : []),
  ];
  return [databaseOf(manifest), `${count} of ${bytes} bytes`, notes.join('; ')];
}

function databaseOf({ database }: Manifest): string {
  return database.kind === 'sqlite'
    ? `${database.bytes} bytes`
    : `PostgreSQL, up to ${database.moment ?? 'when it was begun'}`;
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
