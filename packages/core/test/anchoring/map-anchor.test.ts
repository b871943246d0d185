import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MapQuestion, mapAnchor } from '@stoa/core';
import { plan } from './corpus/documents.ts';
import { bytesOf } from './score.ts';

function map(base: string, current: string, question: Partial<MapQuestion>) {
  return mapAnchor({ baseContent: bytesOf(base), content: bytesOf(current), kind: 'range', ...question });
}

test('a quote from an earlier version is mapped to its current position', () => {
  const current = `Read me first.\n\n${plan}`;
  const mapped = map(plan, current, { quote: 'error budget' });
  assert.ok(mapped.kind === 'placed');
  assert.equal(mapped.start, current.indexOf('error budget'));
  assert.equal(mapped.quote, 'error budget');
});

test('the occurrence is counted in the version that was read', () => {
  const current = plan.replace('- Review the plan\n', '- Review the plan\n- Review the plan once more\n');
  const mapped = map(plan, current, { quote: 'Review the plan', occurrence: 2 });
  assert.ok(mapped.kind === 'placed');
  assert.equal(mapped.start, current.indexOf('Review the plan with legal'));
});

test('a quote whose text has changed is rejected, although it would still be recognised', () => {
  const current = plan.replace('200 ms', '250 ms');
  assert.deepEqual(map(plan, current, { quote: 'stay under 200 ms' }), { kind: 'quote_changed' });
});

test('a deleted or ambiguous quote is rejected', () => {
  const paragraph = 'Success means that support tickets about lost edits fall by half.\n\n';
  assert.deepEqual(map(plan, plan.replace(paragraph, ''), { quote: 'fall by half' }), {
    kind: 'quote_changed',
  });
  assert.deepEqual(map(plan, plan.replace(paragraph, paragraph + paragraph), { quote: 'fall by half' }), {
    kind: 'quote_changed',
  });
});

test('different white space does not count as a change', () => {
  const mapped = map(plan, plan.replaceAll('\n', '\r\n'), { quote: 'switched\noff' });
  assert.ok(mapped.kind === 'placed');
  assert.equal(mapped.quote, 'switched\r\noff');
});

test('a quote missing in the earlier version is not found, a repeated one is ambiguous', () => {
  assert.deepEqual(map(plan, `${plan}new text`, { quote: 'new text' }), { kind: 'not_found' });
  assert.equal(map(plan, plan, { quote: 'wave' }).kind, 'ambiguous');
});

test('a point is mapped by the text on both sides', () => {
  const current = plan.replace('# Launch plan', '# The launch plan');
  const point = { kind: 'point' as const, contextBefore: 'Monday. ', contextAfter: 'Each' };
  const mapped = map(plan, current, point);
  assert.ok(mapped.kind === 'placed');
  assert.equal(mapped.start, current.indexOf('Each'));
  const parted = plan.replace('Monday. Each', 'Monday. Nothing ships in the week of the summer party. Each');
  assert.deepEqual(map(plan, parted, point), { kind: 'quote_changed' });
});
