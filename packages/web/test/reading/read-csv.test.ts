import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberColumns, readCsv } from '../../src/reading/read-csv.ts';

test('fields in quotes hold commas, line ends and quotes', () => {
  assert.deepEqual(readCsv('a,"b, c"\r\n"d ""e""\nf",g\n').rows, [
    ['a', 'b, c'],
    ['d "e"\nf', 'g'],
  ]);
});

test('empty fields, rows and a missing last line end are kept as they are', () => {
  assert.deepEqual(readCsv('a,,\n\n,b').rows, [['a', '', ''], [''], ['', 'b']]);
  assert.deepEqual(readCsv('a,').rows, [['a', '']]);
  assert.deepEqual(readCsv('').rows, []);
});

test('a quote that never ends takes the rest', () => {
  assert.deepEqual(readCsv('a,"b\nc').rows, [['a', 'b\nc']]);
});

test('semicolons and tabs part fields where the first line has no comma', () => {
  assert.deepEqual(readCsv('\ufeffa;b\n1,5;2').rows, [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(readCsv('a\tb').rows, [['a', 'b']]);
});

test('only the first rows are read', () => {
  const { rows, isCut } = readCsv('x\n'.repeat(1001));
  assert.equal(rows.length, 1000);
  assert.ok(isCut);
  assert.ok(!readCsv('x\n'.repeat(1000)).isCut);
  assert.ok(readCsv(','.repeat(300)).isCut);
});

test('columns of numbers alone are known, whatever stands above them', () => {
  const { rows } = readCsv('what,cost,share,when,gone\nChairs,"1,250",12.5 %,2026-11-20,\nSigns,-64,,3,\n');
  assert.deepEqual(numberColumns(rows), [false, true, true, false, false]);
  assert.deepEqual(numberColumns([]), []);
});
