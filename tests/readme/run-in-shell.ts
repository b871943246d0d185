import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

/** For what hangs: a machine that runs other tests beside takes minutes for a page of commands. */
const secondsMax = 600;

/**
 * Runs commands one after another in one bash, as somebody would who pastes them, and stops at the first that fails.
 * @returns what each of them printed, without the line break at its end.
 */
export async function runInShell(commands: readonly string[], folder: string): Promise<readonly string[]> {
  const mark = `--- ${randomUUID()} ---`;
  const script = commands.map((command) => `${command}\nprintf '%s\\n' '${mark}'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: folder,
    timeout: secondsMax * 1000,
  });
  return stdout
    .split(`${mark}\n`)
    .slice(0, -1)
    .map((printed) => printed.replace(/\n$/, ''));
}
