import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WrittenLinesRecord } from '@stoa/contract';
import {
  arrived,
  lineWriters,
  newestWriter,
  rangesOfMatches,
  shiftWriters,
  unsaved,
  type Writer,
  type WriterRange,
  writerRanges,
} from '../../src/writers/line-writers.ts';

const wrote = (from: number, to: number, version: number): WrittenLinesRecord => ({
  from,
  to,
  version,
  createdAt: `2026-11-0${version}T10:00:00.000Z`,
  principal: 'agent',
  actorId: 'ada',
  actorKeyId: 'key',
  actorLabel: 'Claude',
});
const nameOf = (writer: Writer) => (writer.kind === 'version' ? writer.record.version : writer.kind);
const named = (ranges: readonly WriterRange[] = []) =>
  ranges.map(({ from, to, writer }) => [from, to, nameOf(writer)]);

const text = '# Plan\n\nFirst\nSecond\n\nThird\n';
const writers = lineWriters([wrote(1, 2, 1), wrote(3, 3, 2), wrote(4, 5, 1), wrote(6, 6, 3)], text) ?? [];

test('each line has its writer, and a response for another text is ignored', () => {
  assert.deepEqual(writers.map(nameOf), [1, 1, 2, 1, 1, 3]);
  assert.equal(lineWriters([wrote(1, 5, 1)], text), null);
  assert.deepEqual(lineWriters([], ''), []);
});

test('typed lines have no other writer, and the lines around them keep their writers', () => {
  const typed = text.replace('Second\n', 'Second\nMine\nand mine\n').replace('Third', 'Third one');
  assert.deepEqual(named(writerRanges(shiftWriters(text, writers, typed, unsaved))), [
    [1, 2, 1],
    [3, 3, 2],
    [4, 4, 1],
    [5, 6, 'unsaved'],
    [7, 7, 1],
    [8, 8, 'unsaved'],
  ]);
  assert.deepEqual(
    shiftWriters(typed, shiftWriters(text, writers, typed, unsaved), typed, arrived).length,
    8,
  );
  assert.equal(shiftWriters(text, writers, text, unsaved), writers);
  assert.deepEqual(shiftWriters(text, writers, '', unsaved), []);
});

test('each block has its lines, and a writer is not named twice in a row', () => {
  const matchOf = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
  const matches = ['# Plan\n', 'First\nSecond\n', 'Third\n'].map(matchOf);
  const alongside = rangesOfMatches(text, writers, matches);
  assert.deepEqual([...alongside.keys()], [0, 1, 2]);
  assert.deepEqual(named(alongside.get(1)), [
    [3, 3, 2],
    [4, 4, 1],
  ]);
  const alike = lineWriters([wrote(1, 6, 1)], text) ?? [];
  assert.deepEqual([...rangesOfMatches(text, alike, matches).keys()], [0]);
  const [newest] = [newestWriter(alongside.get(1) ?? [])];
  assert.equal(newest === null ? null : nameOf(newest), 2);
});
