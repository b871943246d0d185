import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignContents, resolveAnchor } from '@stoa/core';
import { unknownMatch } from '../../src/anchoring/diff/sequence-match.ts';
import { unmark } from './corpus/corpus-case.ts';
import { plan } from './corpus/documents.ts';
import { byteRange, bytesOf, storedAnchor } from './score.ts';

function question(before: string, after: string) {
  const marked = unmark(before);
  assert.ok(marked !== null);
  const pinnedRange = byteRange(marked);
  const anchor = storedAnchor(marked.text, pinnedRange);
  return { pinnedContent: bytesOf(marked.text), pinnedRange, content: bytesOf(after), anchor };
}

test('a status is restored with its text', () => {
  const before = 'One. ⟦Two two.⟧ Three.\n';
  const resolve = (after: string) => resolveAnchor(question(before, after)).status;
  assert.equal(resolve('One. Three.\n'), 'outdated');
  assert.equal(resolve('One. Two two. Two two. Three.\n'), 'ambiguous');
  assert.equal(resolve('One. Two two. Three.\n'), 'anchored');
});

test('without the pinned bytes the stored contexts find the text', () => {
  const asked = {
    ...question(plan.replace('error budget', '⟦error budget⟧'), `Hello.\n\n${plan}`),
    pinnedContent: null,
  };
  const resolved = resolveAnchor(asked);
  assert.equal(resolved.status, 'anchored');
  assert.equal(resolved.range?.start, `Hello.\n\n${plan}`.indexOf('error budget'));
});

test('without the pinned bytes a short look-alike is not taken for the text', () => {
  const asked = question('Before that, ⟦TODO⟧ comes after.', 'A list of things TODO today.');
  assert.equal(resolveAnchor({ ...asked, pinnedContent: null }).status, 'outdated');
});

test('without the pinned bytes, equal texts with equal contexts are ambiguous', () => {
  const asked = question('x ⟦TODO⟧ y', 'x TODO y and x TODO y');
  assert.equal(resolveAnchor({ ...asked, pinnedContent: null }).status, 'ambiguous');
});

test('without the pinned bytes a point is found between its contexts', () => {
  const asked = question('One is done. ⟦⟧Two is not.\n', 'Zero. One is done. Two is not.\n');
  assert.deepEqual(resolveAnchor({ ...asked, pinnedContent: null }).range, { start: 19, end: 19 });
});

test('pinned bytes that do not hold the quote prove nothing', () => {
  const asked = question('One. ⟦Two two.⟧ Three.\n', 'One. Two two. Three.\n');
  const resolved = resolveAnchor({ ...asked, pinnedContent: bytesOf('Some other file altogether.') });
  assert.equal(resolved.status, 'anchored');
  assert.equal(resolved.currentText, 'Two two.');
});

test('one alignment serves every thread on the same two contents', () => {
  const asked = question(
    plan.replace('error budget', '⟦error budget⟧'),
    plan.replace('# Launch', '# The launch'),
  );
  const alignment = alignContents(asked.pinnedContent, asked.content);
  assert.deepEqual(resolveAnchor({ ...asked, alignment }), resolveAnchor(asked));
});

test('an alignment of other contents is ignored', () => {
  const asked = question('One. ⟦Two two.⟧ Three.\n', 'One. Three.\n');
  const alignment = alignContents(asked.pinnedContent, asked.pinnedContent);
  assert.equal(resolveAnchor({ ...asked, alignment }).status, 'outdated');
});

test('a text with its contexts is found even when the diff gives up', () => {
  const filler = Array.from({ length: 120_000 }, (_, i) => `Line ${i} says something of its own.\n`).join('');
  const before = `start ${filler}Here ⟦TODO⟧ stands.\n${filler}end`;
  const asked = question(before, `begin ${filler}Here TODO stands.\n${filler}finish`);
  assert.equal(alignContents(asked.pinnedContent, asked.content).tokens, null);
  assert.equal(resolveAnchor(asked).currentText, 'TODO');
});

test('bytes that are not text are neither placed wrongly nor a failure', () => {
  const pinnedContent = Uint8Array.from([0xff, 0x41, 0x20, 0x80, 0x42, 0xc3]);
  const anchor = { kind: 'range' as const, quote: 'B', contextBefore: '', contextAfter: '' };
  const content = Uint8Array.from([0xff, 0x41, 0x20, 0x41, 0x20, 0x80, 0x42, 0xc3]);
  const resolved = resolveAnchor({ pinnedContent, pinnedRange: { start: 4, end: 5 }, content, anchor });
  assert.deepEqual(resolved.range, { start: 6, end: 7 });
});

test('a deleted text is gone, although an equal one remains with edited words around it', () => {
  const repeated = 'The very same sentence stands here.';
  const before = `Alpha one.\n\n⟦${repeated}⟧\n\nBeta two.\n\n${repeated}\n\nGamma three.\n`;
  const asked = question(before, `Alpha one.\n\nBeta twice.\n\n${repeated}\n\nGamma thrice.\n`);
  assert.equal(resolveAnchor(asked).status, 'outdated');
});

test('a deleted text is not confused with its twin whose white space changed', () => {
  const before =
    'Alpha.\n\n⟦The very same sentence stands here.⟧\n\nBeta.\n\nThe very  same sentence stands here.\n\nGamma.\n';
  const asked = question(before, 'Alpha.\n\nBeta.\n\nThe very same sentence stands here.\n\nGamma.\n');
  assert.equal(resolveAnchor(asked).status, 'outdated');
});

test('a word written in at a point leaves the point at what it touched', () => {
  const resolved = resolveAnchor(
    question('One is done. ⟦⟧Two is not.\n', 'One is done. Surely Two is not.\n'),
  );
  assert.deepEqual(resolved.range, { start: 20, end: 20 });
});

test('a point between two entries stays there when their bullets change', () => {
  const resolved = resolveAnchor(
    question('- first thing\n⟦⟧- second thing\n', '* first thing\n* second thing\n'),
  );
  assert.deepEqual(resolved.range, { start: 14, end: 14 });
});

/** Text of two words, without a third "on" in a row and without a line end: nothing in it is unique. */
function noise(seed: number): string {
  let state = seed;
  return Array.from({ length: 4000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return ['off on ', 'off off on on ', 'off on on '][(state >> 16) % 3];
  }).join('');
}

test('a unique text with a unique word on each side is found when the diff gives up', () => {
  const before = `${noise(3)}off off off ⟦on on on⟧ off off off ${noise(4)}`;
  const after = `${noise(5)}off on off on on on off on ${noise(6)}`;
  const asked = question(before, after);
  assert.ok(alignContents(asked.pinnedContent, asked.content).tokens?.toCurrent.includes(unknownMatch));
  assert.equal(resolveAnchor(asked).range?.start, noise(5).length + 'off on off '.length);
});

test('one word in a long passage of two words is found by its contexts', () => {
  const passage = noise(7).slice(0, 1000);
  const at = passage.indexOf(' on ', 500) + 1;
  const asked = question(
    `${noise(3)}${passage.slice(0, at)}⟦on⟧${passage.slice(at + 2)}${noise(4)}`,
    `${noise(5)}${passage}${noise(6)}`,
  );
  assert.equal(resolveAnchor(asked).range?.start, noise(5).length + at);
});
