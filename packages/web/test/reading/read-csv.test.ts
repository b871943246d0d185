import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
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

const separated: readonly (readonly [name: string, text: string, rows: readonly (readonly string[])[]])[] = [
  [
    'a comma in quotes in the heading',
    'Name;"Preis, netto";Ort\r\nKaffee;1,50;Graz\r\n',
    [
      ['Name', 'Preis, netto', 'Ort'],
      ['Kaffee', '1,50', 'Graz'],
    ],
  ],
  [
    'decimal commas in each field',
    '1,5;2,5;3,0\r\n4,1;5,2;6,3\r\n',
    [
      ['1,5', '2,5', '3,0'],
      ['4,1', '5,2', '6,3'],
    ],
  ],
  [
    'a comma in a text',
    'Name, Vorname;Ort\nMaier, Hans;Graz',
    [
      ['Name, Vorname', 'Ort'],
      ['Maier, Hans', 'Graz'],
    ],
  ],
  [
    'a comma in a heading alone',
    'Preis, netto;Ort\n1;Graz\n2;Linz',
    [
      ['Preis, netto', 'Ort'],
      ['1', 'Graz'],
      ['2', 'Linz'],
    ],
  ],
  [
    'decimal commas between tabs',
    '1,5\t2,5\n3\t4',
    [
      ['1,5', '2,5'],
      ['3', '4'],
    ],
  ],
  [
    'semicolons in fields of commas',
    'id,tags\n1,a;b\n2,c;d;e',
    [
      ['id', 'tags'],
      ['1', 'a;b'],
      ['2', 'c;d;e'],
    ],
  ],
  [
    'numbers between commas',
    '1,2,3\n4,5,6',
    [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ],
  ],
  [
    'numbers between commas below a heading with a semicolon',
    'a;b,c\n1,2\n3,4',
    [
      ['a;b', 'c'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'commas and spaces',
    'a, b, c\n1, 2, 3',
    [
      ['a', ' b', ' c'],
      ['1', ' 2', ' 3'],
    ],
  ],
  [
    'a quoted field of several lines',
    'a;"x,\ny,\nz"\n1;2',
    [
      ['a', 'x,\ny,\nz'],
      ['1', '2'],
    ],
  ],
  [
    'a title above the rows',
    'Umsatz 2026, in Euro\n\nOrt;Betrag\nGraz;1,5\nLinz;2,5',
    [['Umsatz 2026, in Euro'], [''], ['Ort', 'Betrag'], ['Graz', '1,5'], ['Linz', '2,5']],
  ],
  ['one column', 'a\nb', [['a'], ['b']]],
  ['a line that names it', 'sep=;\r\na,b;c\r\n', [['a,b', 'c']]],
  ['a line that names it, in quotes and after a byte order mark', '\ufeff"sep=|"\na|b,c', [['a', 'b,c']]],
  ['a line that names a tab', 'SEP=\t\na\tb;c', [['a', 'b;c']]],
  ['a line that names commas over semicolons', 'sep=,\na;b,c', [['a;b', 'c']]],
  [
    'a heading like such a line',
    'sep=;x\na;b',
    [
      ['sep=', 'x'],
      ['a', 'b'],
    ],
  ],
  ['such a line and nothing else', 'sep=;', []],
];

for (const [name, text, rows] of separated) {
  test(`finds what separates fields: ${name}`, () => assert.deepEqual(readCsv(text).rows, rows));
}

test('finds what separates fields of any table that quotes where it has to', () => {
  const word = fc.constantFrom(
    'Graz',
    'a, b',
    '1,5',
    '-2,25',
    '3;4',
    'x;y',
    'a "b"',
    'line\nbreak',
    '',
    '2026',
  );
  fc.assert(
    fc.property(
      fc.constantFrom(',', ';', '\t'),
      fc
        .integer({ min: 2, max: 5 })
        .chain((width) =>
          fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
        ),
      (separator, rows) => {
        // Spreadsheets leave a decimal comma without quotes where it separates nothing.
        const isBare = (cell: string) =>
          !/[",;\t\n]/.test(cell) || (separator !== ',' && /^-?\d+,\d+$/.test(cell));
        const written = (cell: string) => (isBare(cell) ? cell : `"${cell.replaceAll('"', '""')}"`);
        const head = rows[0]?.map((_, column) => `column ${column}`) ?? [];
        const text = [head, ...rows].map((row) => row.map(written).join(separator)).join('\n');
        assert.deepEqual(readCsv(text).rows, [head, ...rows]);
      },
    ),
    { numRuns: scaled(500) },
  );
});

test('only the first rows are read', () => {
  const { rows, isCut } = readCsv('x\n'.repeat(1001));
  assert.equal(rows.length, 1000);
  assert.ok(isCut);
  assert.ok(!readCsv('x\n'.repeat(1000)).isCut);
  assert.ok(readCsv(','.repeat(300)).isCut);
});

test('columns with only numbers are detected, regardless of their header', () => {
  const { rows } = readCsv('what,cost,share,when,gone\nChairs,"1,250",12.5 %,2026-11-20,\nSigns,-64,,3,\n');
  assert.deepEqual(numberColumns(rows), [false, true, true, false, false]);
  assert.deepEqual(numberColumns([]), []);
});

test('names the offset of each row', () => {
  const text = '\ufeffa;b\r\n"x\ny";2\r\n\r\nc';
  assert.deepEqual(
    readCsv(text).starts.map((start) => text.slice(start, start + 1)),
    ['a', '"', '\r', 'c', ''],
  );
});
