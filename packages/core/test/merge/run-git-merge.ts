import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeCase } from './merge-case.ts';

/** Runs `git merge-file` without user settings. Returns the merged text, or null if it is not clean. */
export async function gitMerges(cases: Iterable<MergeCase>): Promise<readonly (string | null)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-git-merges-'));
  const [mine, base, theirs] = ['mine', 'base', 'theirs'].map((name) => join(folder, name));
  if (mine === undefined || base === undefined || theirs === undefined) throw new Error('three paths');
  const merges: (string | null)[] = [];
  try {
    for (const each of cases) {
      await writeFile(mine, each.mine);
      await writeFile(base, each.base);
      await writeFile(theirs, each.theirs);
      merges.push(await gitMergeFile(folder, [mine, base, theirs]));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return merges;
}

function gitMergeFile(cwd: string, files: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  execFile(
    'git',
    ['merge-file', '-p', ...files],
    { cwd, env, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
    (error, stdout) => {
      // The exit code is the number of conflicts, at most 127; above are failures.
      if (error === null) resolve(stdout);
      else if (typeof error.code === 'number' && error.code <= 127) resolve(null);
      else reject(error);
    },
  );
  return promise;
}
