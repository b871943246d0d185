import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../../config/config-error.ts';
import { describeBlobs, describeConfig } from '../../config/describe-config.ts';
import type { Config } from '../../config/parse-config.ts';
import { needsDataDir, storageVariables } from '../../config/storage-settings.ts';
import { type MoveReport, moveInstallation } from '../../moving/move-installation.ts';
import { movedSecret } from '../../moving/moved-secret.ts';
import { operatorCommandRow } from '../../service/auditing/record-operator-command.ts';
import { databaseFile, prepareDataDir } from '../../start/prepare-data-dir.ts';
import type { HeldDatabase } from '../../storage/held-database.ts';
import { type AdminTarget, type Command, type CommandResult, RejectedCommand } from '../command.ts';
import { resultOf } from './check.ts';

export const moveTo: Command = {
  name: 'move-to',
  summary:
    'Copy the whole installation to the empty location that a settings file names, and switch to it. Stop the service first. To continue an interrupted move, run the same command.',
  operands: ['settingsFile'],
  audit: 'by itself',
  options: {
    contents: {
      type: 'boolean',
      required: false,
      says: 'read every byte of the target again at the end',
    },
    'leave-lost': {
      type: 'boolean',
      required: false,
      says: 'continue if large contents of the source are missing or damaged, and leave those behind',
    },
  },
  async runAlone(from, { operands: [given = ''], options, progress }) {
    const file = resolve(given);
    const to = elsewhere(from, file, await readSettings(file));
    if (databaseOf(from.config) === databaseOf(to.config)) {
      throw new RejectedCommand(`${file} names the database of this installation: a move needs a new one.`);
    }
    if (needsDataDir(to.config)) await prepareDataDir(to.config.dataDir, progress);
    if (to.config.database.kind === 'sqlite') await rejectFullDirectory(to.config.dataDir);
    const target = `${databaseOf(to.config)}, with large contents in ${locationOf(to.config)}`;
    const report = await holding(from, 'filled', (source) =>
      holding(to, 'any', async (filled) =>
        moveInstallation(
          {
            source: { database: source, blobs: await from.openBlobs() },
            target: { database: filled, blobs: await to.openBlobs() },
            to: target,
            isSameLocation: locationOf(from.config) === locationOf(to.config),
            secret: await movedSecret(
              { config: from.config, database: source },
              { config: to.config, database: filled },
            ),
            lost: options['leave-lost'] === true ? 'left' : 'refused',
            auditRow: operatorCommandRow(moveTo.name, { operands: given, to: target }, Date.now()),
            readBytes: options.contents === true,
          },
          progress,
        ),
      ),
    );
    return moved(report, from.config, to.config, file);
  },
};

async function holding<Result>(
  target: AdminTarget,
  expect: 'filled' | 'any',
  use: (database: HeldDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await target.holdDatabase(expect);
  try {
    return await use(database);
  } finally {
    await database[Symbol.asyncDispose]();
  }
}

/** Parses a file as for a shell or a container: a line `STOA_DATABASE_URL=postgres://…` for each. */
async function readSettings(file: string): Promise<Readonly<Record<string, string>>> {
  const all = parseEnv(await readFile(file, 'utf8'));
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    if (name.startsWith('STOA_') && value !== undefined) given[name] = value;
  }
  if (storageVariables.some((name) => given[name] !== undefined)) return given;
  throw new RejectedCommand(`${file} does not name a target: it needs ${storageVariables.join(', ')}`);
}

function elsewhere(from: AdminTarget, file: string, given: Readonly<Record<string, string>>): AdminTarget {
  try {
    return from.elsewhere(given);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new RejectedCommand([`The settings in ${file} are wrong:`, ...error.problems].join('\n  '));
  }
}

/** If the directory has a database, its tables decide whether the target is empty. */
async function rejectFullDirectory(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  if (names.includes(databaseFile) || names.every((name) => name === 'blobs')) return;
  throw new RejectedCommand(
    `The data directory ${dataDir} is not empty: a move needs an empty one. Set STOA_DATA_DIR to another path.`,
  );
}

/** The database's location without secrets. */
const databaseOf = (config: Config) =>
  config.database.kind === 'sqlite'
    ? join(config.dataDir, databaseFile)
    : String(describeConfig(config).STOA_DATABASE_URL);

const locationOf = (config: Config) =>
  config.blobs.kind === 'disk' ? join(config.dataDir, 'blobs') : describeBlobs(config.blobs);

function moved(
  { tables, brought, contents, source, target }: MoveReport,
  from: Config,
  to: Config,
  file: string,
): CommandResult {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `Moved ${rows} rows of ${tables.length} tables to ${databaseOf(to)}: all tables are identical.`,
    contents === 'stay'
      ? `Large contents stay in ${locationOf(to)}.`
      : `Large contents are in ${locationOf(to)}: ${brought.contents} of ${brought.bytes} bytes were copied by this run.`,
    ...brought.lost.map(({ workspaceId, contentHash }) => `Left behind: ${workspaceId} ${contentHash}`),
    ...(source.problems.length > 0
      ? ['The source has problems (`npm run admin -- check` with its settings lists them).']
      : []),
    `Start the service with the settings of ${file}, and all other settings as before${to.secret === null ? '' : ', including STOA_SECRET'}:`,
    ...settingsOf(from, to).map((line) => `  ${line}`),
    `The source was not changed, and the service no longer starts on it. Keep it until you have a backup of the new installation, then delete it.`,
  ];
  return resultOf(target, {
    json: {
      to: databaseOf(to),
      tables: Object.fromEntries(tables.map(({ name, ...digest }) => [name, digest])),
      contents: { place: locationOf(to), are: contents, ...brought },
      settings: settingsOf(from, to),
      source: { problems: source.problems, checked: source.checked },
    },
    text: lines.join('\n'),
  });
}

/** Returns the changed settings, without the password. */
function settingsOf(from: Config, to: Config): readonly string[] {
  const [before, after] = [describeConfig(from), describeConfig(to)];
  const isSet = (config: Config, name: string) =>
    name === 'STOA_DATABASE_URL'
      ? config.database.kind === 'postgres'
      : name === 'STOA_BLOB_URL'
        ? config.blobs.kind === 's3'
        : needsDataDir(config);
  return ['STOA_DATA_DIR', 'STOA_DATABASE_URL', 'STOA_BLOB_URL'].flatMap((name) => {
    if (isSet(to, name)) return [`${name}=${after[name]}`];
    return isSet(from, name) && before[name] !== after[name] ? [`${name} is no longer set`] : [];
  });
}
