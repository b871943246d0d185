import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherLines } from '../../src/logging/gather-lines.ts';

test('lines are sent together, in order, when there are enough', () => {
  const sent: string[] = [];
  const lines = gatherLines((block) => sent.push(block));
  const line = `${'x'.repeat(1000)}\n`;
  for (let n = 0; n < 4; n += 1) lines.write(line);
  assert.deepEqual(sent, []);
  lines.write(line);
  assert.deepEqual(sent, [line.repeat(5)]);
});

test('lines do not wait long for more', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sent: string[] = [];
  const lines = gatherLines((block) => sent.push(block));
  lines.write('one\n');
  lines.write('two\n');
  t.mock.timers.tick(250);
  assert.deepEqual(sent, ['one\ntwo\n']);
});

test('buffered lines can be sent at once, and no line is sent twice', () => {
  const sent: string[] = [];
  const lines = gatherLines((block) => sent.push(block));
  lines.flush();
  lines.write('one\n');
  lines.flush();
  lines.flush();
  assert.deepEqual(sent, ['one\n']);
});
