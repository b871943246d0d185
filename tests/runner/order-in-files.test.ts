import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const registers = /^ *(?:test|describe|suite)(?:\.\w+)?\(/;
const waits = /^(?:(?:export )?(?:const|let) .*= |for )?await\b|^ {2}(?:(?:const|let) .*= )?await\b/;

/** Returns the lines with a top-level wait, also in a loop, after a test of the file may have run already. */
function lateWaits(text: string): number[] {
  const found: number[] = [];
  let hasTests = false;
  let isTop = true;
  let before: number[] = [];
  text.split('\n').forEach((line, index) => {
    // The body of a top-level loop or condition runs with the file. Other bodies do not.
    if (/^[\w{]/.test(line)) isTop = /^(?:for|if|while|\{)/.test(line);
    if (/^\S/.test(line)) before = [];
    else if (!isTop) return;
    if (waits.test(line)) (hasTests ? found : before).push(index + 1);
    if (!registers.test(line)) return;
    // The lines of a loop before its first test run again after that test.
    if (!hasTests && /^ /.test(line)) found.push(...before);
    hasTests = true;
  });
  return found;
}

// The runner ends a file's services after the last known test. During a wait it would not know the later tests.
test('no file waits at its top level once one of its tests may run', async () => {
  const late: string[] = [];
  for await (const file of glob(['tests/**/*.test.ts', 'packages/*/test/**/*.test.ts'])) {
    for (const line of lateWaits(await readFile(file, 'utf8'))) late.push(`${file}:${line}`);
  }
  assert.deepEqual(late, []);
});

test('detects such waits, and ignores waits before or inside of tests', () => {
  const file = (...lines: string[]) => lateWaits(lines.join('\n'));
  assert.deepEqual(file("test('a', f);", 'const server = await start();'), [2]);
  assert.deepEqual(file("describe('a', () => {", '  await x;', '});', 'await start();'), [4]);
  assert.deepEqual(
    file('for (const mode of modes) {', '  const server = await start(mode);', '  test(mode, f);', '}'),
    [2],
  );
  assert.deepEqual(
    file('const server = await start();', "test('a', async () => {", '  await use(server);', '});'),
    [],
  );
  assert.deepEqual(file("test('a', f);", 'async function use() {', '  const a = await b();', '}'), []);
});
