import { join, resolve } from 'node:path';
import { makeBackup } from '../../backup/make-backup.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Command } from '../command.ts';

/** Number of lost contents that are printed, and that `--json` names. The manifest has all. */
const printedMax = 5;
const namedMax = 100;

export const backup: Command = {
  name: 'backup',
  summary:
    'Add an incremental backup to a directory, which is created if needed. The service may run. Exit code 3: some contents could not be read.',
  operands: ['directory'],
  audit: 'as a command, where there is room',
  options: {
    contents: {
      type: 'boolean',
      required: false,
      says: 'also read the objects already in the directory, and replace damaged ones',
    },
  },
  async run({ service, openBlobs, config }, { operands: [given = ''], options, progress }) {
    const directory = resolve(given);
    const database =
      config.database.kind === 'sqlite'
        ? ({
            kind: 'sqlite',
            file: join(config.dataDir, 'stoa.db'),
            sessionSecretFile: join(config.dataDir, 'session-secret'),
          } as const)
        : ({ kind: 'postgres', reader: service.store.reader } as const);
    const { name, manifest, added } = await makeBackup(
      { database, blobs: await openBlobs() },
      directory,
      { readKept: options.contents === true },
      progress,
    );
    const { lost } = manifest.contents;
    const lines = [
      `Backup ${name} is in ${directory}: ${what(manifest.database)}${contentsOf(manifest.contents)}.`,
      `New in it: ${added.objects} objects of ${added.bytes} bytes; the rest was already there.`,
      ...(manifest.database.kind === 'postgres'
        ? [
            `The database is not included: keep a backup that its own tools made before this one. The backup has all large contents of the database at ${manifest.database.moment} or earlier: recover the database to that time or an earlier one.`,
          ]
        : []),
      ...lost
        .slice(0, printedMax)
        .map(({ workspaceId, contentHash }) => `Not in it, missing or wrong: ${workspaceId} ${contentHash}`),
      ...(lost.length > printedMax
        ? [`and ${lost.length - printedMax} more, listed in the backup's manifest`]
        : []),
      ...(lost.length > 0 ? ['`npm run admin -- check --contents` names the files.'] : []),
    ];
    const contents = {
      ...manifest.contents,
      lost: lost.slice(0, namedMax),
      lostCount: lost.length,
    };
    return {
      json: {
        name,
        directory,
        database: manifest.database.kind,
        ...(manifest.database.kind === 'postgres' && { moment: manifest.database.moment }),
        contents,
        added,
      },
      text: lines.join('\n'),
      foundProblems: lost.length > 0,
    };
  },
};

const what = (database: { readonly kind: string; readonly bytes?: number }) =>
  database.kind === 'sqlite' ? `the database of ${database.bytes} bytes and ` : '';

function contentsOf({ count, bytes, lost }: Manifest['contents']): string {
  return lost.length === 0
    ? `${count} large contents of ${bytes} bytes`
    : `${count} large contents except those that could not be read; ${lost.length} contents are lost`;
}
