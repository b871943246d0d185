import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

/** The limit for a command that hangs. A busy machine takes minutes for a page of commands. */
const secondsMax = 600;

/**
 * Runs pasted commands one after another in one bash, and stops at the first that fails.
 * @returns the output of each command, without the line break at its end.
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
