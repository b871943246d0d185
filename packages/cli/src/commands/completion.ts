import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { findLinkedFolder } from '../config/find-folder.ts';
import { readState } from '../create-engine.ts';
import type { Host } from '../output/host.ts';
import { shownText } from '../output/shown-text.ts';

/** More would fill the screen. */
const offeredMax = 200;
const commandsWithPaths = ['cat', 'put', 'mv', 'rm', 'history', 'restore', 'log', 'ignore why'];
const pathArguments = new Set(['path', 'from', 'to']);
const fromRoot = ':/';

/**
 * Adds `completion <shell>`, which prints a script, and the hidden command that the script asks. Commands and flags come
 * from the program, paths from what this folder knows: a key press never waits for the network.
 */
export async function addCompletion(program: Command, host: Host, typed: string): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  // There is nobody to tell: whatever is wrong with the folder, the next command says so.
  const paths = await pathsFor(host, typed).catch(() => []);
  for (const name of commandsWithPaths) {
    for (const [called, argument] of completion.commands.get(name)?.arguments ?? []) {
      if (!pathArguments.has(called)) continue;
      argument.handler = (offer) => {
        for (const path of paths) offer(path, '');
      };
    }
  }
}

async function pathsFor({ cwd }: Host, typed: string): Promise<readonly string[]> {
  const folder = await findLinkedFolder(cwd);
  if (folder === null) return [];
  const here = relative(folder, realpathSync(cwd)).split(sep).join('/');
  const above = typed.startsWith(fromRoot) || here === '' ? '' : `${here}/`;
  const before = typed.startsWith(fromRoot) ? fromRoot : '';
  const beginning = above + typed.slice(before.length);
  const found = await readState(folder, (state) => state.listBasePaths(beginning, offeredMax));
  return (found ?? []).map((path) => before + path.slice(above.length)).filter(isPlainWord);
}

/**
 * A name goes into the command line as it is: one that the terminal or the shell would act on is not offered, nor one
 * that looks like a flag.
 */
function isPlainWord(text: string): boolean {
  return shownText(text) === text && /^[\p{L}\p{M}\p{N}._/:][\p{L}\p{M}\p{N}._/:+@,%=-]*$/u.test(text);
}
