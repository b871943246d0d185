import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface IgnoreCase {
  /** The text of the rules. */
  readonly rules: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The numbers of the lines that decide, by path; a line of a rule with `!` decides that a path is not ignored. */
export type GitDecisions = ReadonlyMap<string, { readonly line: number; readonly pattern: string }>;

/** Asks git about all cases in one process: each has a folder of its own, with its rules. Folders are made, files need not be. */
export async function runGitCheckIgnore(cases: readonly IgnoreCase[]): Promise<readonly GitDecisions[]> {
  const repository = await mkdtemp(join(tmpdir(), 'stoa-check-ignore-'));
  try {
    const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = async (words: readonly string[], input: string): Promise<string> => {
      const child = spawn('git', ['-c', 'core.ignorecase=false', ...words], {
        cwd: repository,
        env,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.end(input);
      const [output, code] = await Promise.all([
        text(child.stdout),
        new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject)),
      ]);
      // 1: no path is ignored.
      if (code !== 0 && code !== 1) throw new Error(`git ${words.join(' ')} ended with ${code}`);
      return output;
    };
    await git(['init', '-q'], '');
    const asked: string[] = [];
    for (const [index, { rules, files, folders }] of cases.entries()) {
      await mkdir(join(repository, String(index)));
      await writeFile(join(repository, String(index), '.gitignore'), rules);
      for (const folder of folders) await mkdir(join(repository, String(index), folder), { recursive: true });
      for (const path of [...folders, ...files]) asked.push(`${index}/${path}`);
    }
    const output = await git(['check-ignore', '-z', '-v', '-n', '--no-index', '--stdin'], asked.join('\0'));
    const decisions = cases.map(() => new Map<string, { line: number; pattern: string }>());
    const fields = output.split('\0');
    for (let at = 0; at + 3 < fields.length; at += 4) {
      const [, line = '', pattern = '', path = ''] = fields.slice(at, at + 4);
      const cut = path.indexOf('/');
      if (line !== '')
        decisions[Number(path.slice(0, cut))]?.set(path.slice(cut + 1), { line: Number(line), pattern });
    }
    return decisions;
  } finally {
    await rm(repository, { recursive: true, force: true });
  }
}
