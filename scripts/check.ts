/** Checks types, lint and format, imports, and prose. All run at the same time, because each one leaves a core idle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

const sources = await Array.fromAsync(glob('packages/*/src'));
const checks: readonly (readonly [string, ...string[]])[] = [
  ['tsc', '-b'],
  ['biome', 'check', '.'],
  ['depcruise', '--config', '.dependency-cruiser.mjs', ...sources.toSorted()],
  ['node', 'scripts/prose.ts'],
];

const outcomes = await Promise.all(checks.map(runCheck));
if (outcomes.includes(false)) process.exitCode = 1;

/** Prints the output of a check after its end. @returns whether the check passed. */
async function runCheck([program, ...words]: readonly [string, ...string[]]): Promise<boolean> {
  // npm puts the programs of the packages in the path.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  process.stdout.write(said);
  process.stderr.write(complained);
  if (code !== 0) process.stderr.write(`${program} failed\n`);
  return code === 0;
}
