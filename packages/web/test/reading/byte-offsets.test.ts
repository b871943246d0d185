import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { markdownCorpus } from '../../../markdown/test/markdown-corpus.ts';
import { decodeText, textMaxBytes } from '../../src/reading/decode-text.ts';
import { byteOffsets, utf8Bytes } from '../../src/text/byte-offsets.ts';

const encoder = new TextEncoder();

test('code units and bytes of any text convert to each other', () => {
  const wellFormed = fc.string({ unit: 'binary', maxLength: 3000, size: 'max' });
  fc.assert(
    fc.property(wellFormed, (text) => {
      const offsets = byteOffsets(text);
      assert.equal(offsets.bytes, encoder.encode(text).length);
      assert.equal(utf8Bytes(text), offsets.bytes);
      let unit = 0;
      let byte = 0;
      for (const character of text) {
        assert.equal(offsets.byteOf(unit), byte);
        assert.equal(offsets.unitOf(byte), unit);
        const width = utf8Bytes(character);
        for (let within = 1; within < width; within += 1) assert.equal(offsets.unitOf(byte + within), unit);
        if (character.length === 2) assert.equal(offsets.byteOf(unit + 1), byte);
        unit += character.length;
        byte += width;
      }
      assert.equal(offsets.byteOf(unit), byte);
      assert.equal(offsets.unitOf(byte), unit);
      assert.equal(offsets.unitOf(byte + 100), unit);
      assert.equal(offsets.byteOf(unit + 100), byte);
    }),
    { numRuns: 60 },
  );
});

test('a byte order mark counts three bytes', () => {
  const offsets = byteOffsets('\ufeffa\u{1f600}b');
  assert.deepEqual([0, 1, 2, 4, 5].map(offsets.byteOf), [0, 3, 4, 8, 9]);
  assert.deepEqual([0, 3, 4, 8, 9].map(offsets.unitOf), [0, 1, 2, 4, 5]);
});

test('text encodes to the bytes that were read', () => {
  for (const text of [...Object.values(markdownCorpus), '\ufeff\ufeff', 'a\r\nb\rc\n']) {
    const bytes = encoder.encode(text);
    const decoded = decodeText(bytes);
    assert.ok(decoded.kind === 'text');
    assert.deepEqual(encoder.encode(decoded.text), bytes);
  }
});

test('bytes that are not UTF-8, contain NUL or exceed 5 MiB are not opened as text', () => {
  assert.equal(decodeText(Uint8Array.of(0xff, 0xfe, 0x61)).kind, 'not_text');
  assert.equal(decodeText(Uint8Array.of(0xed, 0xa0, 0x80)).kind, 'not_text');
  assert.equal(decodeText(encoder.encode('a\0b')).kind, 'not_text');
  assert.equal(decodeText(new Uint8Array(textMaxBytes).fill(97)).kind, 'text');
  assert.equal(decodeText(new Uint8Array(textMaxBytes + 1).fill(97)).kind, 'too_large');
});
