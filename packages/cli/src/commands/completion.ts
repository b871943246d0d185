import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
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
 * Adds `completion <shell>`, which prints a script, and the hidden command that the script calls. Commands and flags
 * come from the program, paths from the local state. A key press never waits for the network.
 */
export async function addCompletion(program: Command, host: Host, words: readonly string[]): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.action((shell: string) => {
      if (shell === 'bash') host.stdout.write(bashScript);
      else completion.setup('stoa', 'stoa', shell);
    });
  // A completion cannot report errors. The next command reports them.
  const paths = await pathsFor(host, words).catch(() => []);
  for (const name of commandsWithPaths) {
    for (const [called, argument] of completion.commands.get(name)?.arguments ?? []) {
      if (!pathArguments.has(called)) continue;
      argument.handler = (offer) => {
        for (const path of paths) offer(path, '');
      };
    }
  }
}

/**
 * Separates the folder of a partly typed command line from the other words. The library would take `--dir=x` for two
 * words.
 */
export function takeFolder(words: readonly string[]): {
  readonly dir: string | null;
  readonly rest: string[];
} {
  const rest: string[] = [];
  let dir: string | null = null;
  // The last word is still being typed.
  const last = words.length - 1;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const joined = /^(?:--dir=|-C)(.+)$/.exec(word)?.[1];
    if (joined !== undefined && at < last) dir = joined;
    else if ((word === '-C' || word === '--dir') && at + 1 < last) {
      dir = words[at + 1] ?? null;
      at += 1;
    } else rest.push(word);
  }
  return { dir, rest };
}

async function pathsFor({ cwd, home }: Host, words: readonly string[]): Promise<readonly string[]> {
  // The shell has not expanded `~` yet.
  const dir = takeFolder(words).dir?.replace(/^~(?=\/|$)/, () => home) ?? '.';
  const folder = await findLinkedFolder(resolve(cwd, dir));
  if (folder === null) return [];
  const typed = words.at(-1) ?? '';
  const { before, above } = locationOf(folder, realpathSync(cwd), typed);
  const beginning = above + typed.slice(before.length);
  const found = await readState(folder, (state) => state.listBasePaths(beginning, offeredMax));
  return (found ?? []).map((path) => before + path.slice(above.length)).filter(isPlainWord);
}

/**
 * Splits a typed path. `before` is its folder as typed, and `above` is the same folder relative to the root. `above`
 * ends in `/` and is empty for the root.
 */
function locationOf(folder: string, cwd: string, typed: string): { before: string; above: string } {
  if (typed.startsWith(fromRoot)) return { before: fromRoot, above: '' };
  const before = typed.slice(0, typed.lastIndexOf('/') + 1);
  const above = relative(folder, resolve(cwd, before)).split(sep).join('/');
  if (above.split('/')[0] !== '..') return { before, above: above === '' ? '' : `${above}/` };
  // Outside the folder, paths begin at its root.
  if (typed === '') return { before: fromRoot, above: '' };
  throw new Error(`${typed} is not in the folder`);
}

/**
 * Whether a name can go into the command line unquoted. Names that the terminal or the shell would act on are not
 * offered, nor those that look like a flag.
 */
function isPlainWord(text: string): boolean {
  return shownText(text) === text && /^[\p{L}\p{M}\p{N}._/:][\p{L}\p{M}\p{N}._/:+@,%=-]*$/u.test(text);
}

/**
 * Replaces the library's script for bash. The library's script needs functions of another package, evaluates the typed
 * text and cannot be sourced twice. Bash treats `:` as the end of a word and replaces only the text after it. Without
 * suggestions, bash offers local files.
 */
const bashScript = `# bash completion for stoa
_stoa_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} current kept value
  local -a words
  read -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]}-1]}
  kept=\${current%"\${current##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    [[ $value =~ ^:[0-9]+$ || -z $value ]] || COMPREPLY+=("\${value#"$kept"}")
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2> /dev/null)
}
complete -o bashdefault -o default -F _stoa_complete stoa
`;
