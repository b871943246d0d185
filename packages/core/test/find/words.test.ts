import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldWord, visitWords, wordMaxCharacters, wordsOf } from '../../src/index.ts';

const sorted = (text: string) => [...wordsOf(text)].toSorted();

test('case and diacritics are folded', () => {
  assert.deepEqual(sorted('Éclair CAFÉ Straße İstanbul'), ['cafe', 'eclair', 'istanbul', 'strasse']);
  assert.deepEqual(sorted('Ångström Øre Łódź œuvre ＦＵＬＬ ﬁn'), [
    'angstrom',
    'fin',
    'full',
    'lodz',
    'oeuvre',
    'ore',
  ]);
  assert.deepEqual(sorted('ΟΔΟΣ οδός'), ['οδοσ']);
});

test('identifiers are found whole and by their parts', () => {
  assert.deepEqual(sorted('readFile'), ['file', 'read', 'readfile']);
  assert.deepEqual(sorted('read_file'), ['file', 'read', 'readfile']);
  assert.deepEqual(sorted('HTTPServer2'), ['http', 'httpserver2', 'server2']);
  assert.deepEqual(sorted('__init__ MAX_SIZE'), ['init', 'max', 'maxsize', 'size']);
  assert.deepEqual(sorted('Plan'), ['plan']);
});

test('punctuation separates words', () => {
  assert.deepEqual(sorted("front-end l'eau v2.1 example.com/a.md"), [
    '1',
    'a',
    'com',
    'eau',
    'end',
    'example',
    'front',
    'l',
    'md',
    'v2',
  ]);
});

test('scripts without spaces have overlapping pairs, and the last character', () => {
  assert.deepEqual(sorted('東京都'), ['京都', '東京', '都'].toSorted());
  assert.deepEqual(sorted('会'), ['会']);
  assert.deepEqual(sorted('Tokyo東京2026'), ['2026', 'tokyo', '京', '東京'].toSorted());
  assert.ok(wordsOf('กรุงเทพ').has('กร'));
  assert.ok(wordsOf('회의록').has('의록'));
});

test('decomposed text has the words of its composed form', () => {
  for (const text of ['が行', 'Café', '회의', 'Ἀθῆναι']) {
    assert.deepEqual(sorted(text.normalize('NFD')), sorted(text.normalize('NFC')), text);
  }
});

test('long words are cut, and their characters stay whole', () => {
  assert.deepEqual(sorted('x'.repeat(1000)), ['x'.repeat(wordMaxCharacters)]);
  for (const word of wordsOf(`a${'𝔞𐐨'.repeat(100)}`))
    assert.ok(word.isWellFormed() && word.length <= wordMaxCharacters);
});

test('property: words of joined texts are the words of both', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      assert.deepEqual(wordsOf(`${one}\n${other}`), wordsOf(one).union(wordsOf(other)));
    }),
  );
});

test('property: each word is the folded text of its range, or is within it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      let before = 0;
      visitWords(text, (word, start, end, kind) => {
        assert.ok(word !== '' && start < end && end <= text.length);
        assert.ok(
          foldWord(text.slice(start, end)).startsWith(word) ||
            foldWord(text.slice(start, end)).includes(word),
        );
        if (kind === 'whole') {
          assert.ok(start >= before, 'words come in order');
          before = start;
        }
      });
    }),
  );
});
