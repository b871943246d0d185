import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasured } from '../measure/run-measured.ts';
import type { Workbench } from '../workbench.ts';
import { type StoaSide, startStoa } from './start-stoa.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const shownDigits = 10;

/** The server of another commit, for a comparison in the same run. */
export interface Comparison {
  /** Starts its server with an empty data directory and its own default configuration. Builds it at the first call. */
  readonly start: () => Promise<ComparisonSide>;
}

export interface ComparisonSide extends StoaSide {
  readonly isBaseline: boolean;
}

/** `--beside baseline`: the last commit before the work on the cost of small requests, whose targets are shares of its cost. */
const baseline = { word: 'baseline', commit: 'b8a05f0ba63ba181f0779e11b2c19dd5955ffecf' };

/** @returns null when this checkout has no such commit, or is not a git checkout. */
export async function findCommit(workbench: Workbench, name: string): Promise<string | null> {
  const words = [
    '-C',
    checkout,
    'rev-parse',
    '--quiet',
    '--verify',
    '--end-of-options',
    `${name === baseline.word ? baseline.commit : name}^{commit}`,
  ];
  const found = await runMeasured(workbench, { command: 'git', words, expect: [0, 1, 127, 128] });
  const commit = found.stdout.trim();
  return commit === '' ? null : commit;
}

export function openComparison(
  workbench: Workbench,
  commit: string,
  profileDirectory: string | null,
  say: (text: string) => void,
): Comparison {
  const name = `commit ${commit.slice(0, shownDigits)}`;
  let built: Promise<string> | null = null;
  const build = () => {
    say(`building ${name}`);
    return buildCommit(workbench, commit);
  };
  return {
    async start() {
      built ??= build();
      const side = await startStoa(workbench, profileDirectory, {}, { name, program: await built });
      return { ...side, isBaseline: commit === baseline.commit };
    },
  };
}

/** Puts its files and the packages of its lock file into a directory of the bench. @returns the server's program. */
async function buildCommit(workbench: Workbench, commit: string): Promise<string> {
  const directory = await workbench.directory('beside');
  const archive = join(directory, 'commit.tar');
  const run = (command: string, words: readonly string[]) => runMeasured(workbench, { command, words });
  await run('git', ['-C', checkout, 'archive', '--format=tar', '--output', archive, commit]);
  await run('tar', ['-x', '-f', archive, '-C', directory]);
  await run('npm', [
    'ci',
    '--prefix',
    directory,
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]);
  return join(directory, 'packages/server/src/main.ts');
}
