import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Failure } from '../src/output/failure.ts';
import { createOutput } from '../src/output/output.ts';

/** Moves the cursor, sets a title, reverses the text direction and ends the line. */
const hostile = 'a\u001b[2J\u009b31m\u001b]0;PWNED\u0007\u202egnp\u2028b\u0085c\u007f';
const controls = /[^\P{Cc}\n]/u;
const acts = /[^\P{Cc}\n]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

function said(json: boolean, say: (output: ReturnType<typeof createOutput>) => void): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const options = { json, quiet: false, verbose: true, color: false, progress: false };
  say(createOutput({ env: {}, stdout, stderr }, options));
  return `${stdout.read() ?? ''}${stderr.read() ?? ''}`;
}

for (const [name, say] of [
  ['line', (output) => output.line(hostile)],
  ['note', (output) => output.note(hostile)],
  ['warn', (output) => output.warn(hostile)],
  ['fail', (output) => output.fail(new Failure({ code: 'x', message: hostile, next: hostile }))],
] as const satisfies readonly (readonly [string, (output: ReturnType<typeof createOutput>) => void])[]) {
  test(`${name} escapes control characters in texts of others`, () => {
    const text = said(false, say);
    assert.ok(text.includes('PWNED'));
    assert.doesNotMatch(text, acts);
  });
}

test('JSON output escapes control characters and keeps its meaning', () => {
  const text = said(true, (output) => output.data({ path: hostile, [hostile]: ['é'] }));
  assert.doesNotMatch(text, controls);
  assert.deepEqual(JSON.parse(text), { schemaVersion: 1, path: hostile, [hostile]: ['é'] });
  const failed = said(true, (output) =>
    output.fail(new Failure({ code: 'x', message: hostile, next: null })),
  );
  assert.doesNotMatch(failed, controls);
  assert.equal(JSON.parse(failed.split('\n')[0] ?? '').error.message, hostile);
});
