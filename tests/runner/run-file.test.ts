import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FileResult, runFile } from '../../scripts/testing/run-file.ts';

/** The variable marks a test process, in which the runner starts no other one. */
const { NODE_TEST_CONTEXT: context, ...outside } = process.env;

async function resultOf(source: string): Promise<FileResult> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-runner-'));
  delete process.env.NODE_TEST_CONTEXT;
  try {
    const file = join(folder, 'sample.test.ts');
    await writeFile(file, source);
    return await runFile(file, outside);
  } finally {
    process.env.NODE_TEST_CONTEXT = context;
    await rm(folder, { recursive: true });
  }
}

test('a failure has the file, the line and the message, and no frame of the runner', async () => {
  const { passed, failures } = await resultOf(`import assert from 'node:assert/strict';
import { test } from 'node:test';
test('holds', () => {});

test('does not hold', () => assert.ok(false, 'not created'));
`);
  assert.deepEqual(passed, ['holds']);
  assert.equal(failures.length, 1);
  assert.equal(failures[0]?.title, 'does not hold');
  assert.match(failures[0]?.location ?? '', /sample\.test\.ts:5:1$/);
  assert.equal(failures[0]?.text, 'not created');
});

test('a file that fails before its tests is one failure with the reason', async () => {
  const { failures } = await resultOf("throw new Error('the service did not start; it printed: no');\n");
  assert.equal(failures.length, 1);
  assert.match(failures[0]?.text ?? '', /^Error: the service did not start; it printed: no/m);
  assert.doesNotMatch(failures[0]?.text ?? '', /node:internal/);
});

test('an error that no code awaits ends the file and is reported with its location', async () => {
  for (const throws of [
    "(async () => { await pause(1); throw new Error('lost'); })();",
    "await pause(1); setTimeout(() => { throw new Error('lost'); }, 1);",
  ]) {
    const { failures } = await resultOf(`import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
test('begins it', async () => {
  ${throws}
});
test('waits for ever', () => new Promise((resolve) => setTimeout(resolve, 600_000)));
`);
    assert.equal(failures.length, 1);
    assert.match(failures[0]?.text ?? '', /^Error: lost\n +at .*sample\.test\.ts:4:/);
  }
});

test('the runner does not track promises to the tests that made them', async () => {
  const { output } = await resultOf(`import { executionAsyncId } from 'node:async_hooks';
import { test } from 'node:test';
test('asks where it is', async (t) => {
  await null;
  const before = executionAsyncId();
  await null;
  t.diagnostic(before === executionAsyncId() ? 'not tracked' : 'tracked');
});
`);
  assert.equal(output, 'not tracked\n');
});

test('a suite with a failing `before` is reported once', async () => {
  const { failures } = await resultOf(`import { before, describe, it } from 'node:test';
describe('a suite', () => {
  before(() => { throw new Error('no database'); });
  it('one', () => {});
  it('two', () => {});
});
`);
  assert.equal(failures.filter(({ text }) => text !== '').length, 1);
  assert.deepEqual(
    failures.map(({ title }) => title),
    ['a suite › one', 'a suite › two', 'a suite'],
  );
});

test('every file in long-files.json exists', async () => {
  const location = new URL('../../scripts/testing/long-files.json', import.meta.url);
  const names = Object.keys(JSON.parse(await readFile(location, 'utf8')));
  for (const name of names) await readFile(new URL(`../../${name}`, import.meta.url));
});
