import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clearSelection,
  extendTo,
  keepPresent,
  rowAt,
  selectAll,
  selectOnly,
  toggle,
  typeAhead,
} from '../../src/files/selection.ts';

const rows = ['a', 'b', 'c', 'd', 'e'];
const chosen = ({ selected }: { selected: ReadonlySet<string> }) => [...selected].sort();

test('a range reaches from where it began, whichever way it grows', () => {
  const down = extendTo(extendTo(selectOnly('b'), rows, 'c'), rows, 'd');
  assert.deepEqual(chosen(down), ['b', 'c', 'd']);
  const back = extendTo(down, rows, 'a');
  assert.deepEqual(chosen(back), ['a', 'b']);
  assert.equal(back.focus, 'a');
});

test('single rows are added and taken away', () => {
  assert.deepEqual(chosen(toggle(toggle(selectOnly('a'), 'c'), 'a')), ['c']);
});

test('all and none leave the focus where it is', () => {
  const all = selectAll(selectOnly('b'), rows);
  assert.equal(all.selected.size, 5);
  assert.equal(clearSelection(all).focus, 'b');
  assert.equal(clearSelection(all).selected.size, 0);
});

test('arrows stop at the ends, and begin there', () => {
  assert.equal(rowAt(rows, null, 'down'), 'a');
  assert.equal(rowAt(rows, null, 'up'), 'e');
  assert.equal(rowAt(rows, 'e', 'down'), 'e');
  assert.equal(rowAt(rows, 'a', 'up'), 'a');
  assert.equal(rowAt(rows, 'b', 'page-down'), 'e');
  assert.equal(rowAt([], null, 'down'), null);
});

test('typing goes to a name, the same letter again to the next', () => {
  const named = ['Apple', 'apricot', 'Banana'].map((name) => ({ path: name, name }));
  assert.equal(typeAhead(named, null, 'a'), 'Apple');
  assert.equal(typeAhead(named, 'Apple', 'aa'), 'apricot');
  assert.equal(typeAhead(named, 'apricot', 'a'), 'Apple');
  assert.equal(typeAhead(named, 'Apple', 'ap'), 'Apple');
  assert.equal(typeAhead(named, 'Apple', 'apr'), 'apricot');
  assert.equal(typeAhead(named, 'Apple', 'x'), null);
});

test('when rows go, the focus goes to the neighbour below, at the end to the one above', () => {
  const two = toggle(selectOnly('b'), 'c');
  const left = keepPresent(two, rows, ['a', 'b', 'd', 'e']);
  assert.deepEqual([left.focus, chosen(left)], ['d', ['b']]);
  assert.equal(keepPresent(selectOnly('e'), rows, ['a', 'b']).focus, 'b');
  assert.equal(keepPresent(selectOnly('e'), rows, []).focus, null);
  const same = selectOnly('a');
  assert.equal(keepPresent(same, rows, [...rows, 'f']), same);
});
