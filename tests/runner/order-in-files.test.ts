import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const registers = /^ *(?:test|describe|suite)(?:\.\w+)?\(/;
const waits = /^(?:(?:export )?(?:const|let) .*= |for )?await\b|^ {2}(?:(?:const|let) .*= )?await\b/;

/** The lines on which a file waits at its top, or in a loop there, when a test of it may have run already. */
function lateWaits(text: string): number[] {
  const found: number[] = [];
  let hasTests = false;
  let isTop = true;
  let before: number[] = [];
  text.split('\n').forEach((line, index) => {
    // A loop or condition at the top runs as the file does; the body of anything else does not.
    if (/^[\w{]/.test(line)) isTop = /^(?:for|if|while|\{)/.test(line);
    if (/^\S/.test(line)) before = [];
    else if (!isTop) return;
    if (waits.test(line)) (hasTests ? found : before).push(index + 1);
    if (!registers.test(line)) return;
    // Of a loop, what stands before the first test runs again after it.
    if (!hasTests && /^ /.test(line)) found.push(...before);
    hasTests = true;
  });
  return found;
}

// The runner ends a file's services when none of the tests it knows is left. While the file waited it would know too few.
test('no file waits for something once one of its tests may run', async () => {
  const late: string[] = [];
  for await (const file of glob(['tests/**/*.test.ts', 'packages/*/test/**/*.test.ts'])) {
    for (const line of lateWaits(await readFile(file, 'utf8'))) late.push(`${file}:${line}`);
  }
  assert.deepEqual(late, []);
});

test('such waiting is seen, and what runs before or inside of tests is not taken for it', () => {
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
