import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageTypeOf } from '@stoa/core';

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

test('an image is known by its first bytes', () => {
  assert.equal(imageTypeOf(bytes(pngHead, 'rest')), 'image/png');
  assert.equal(imageTypeOf(bytes([0xff, 0xd8, 0xff, 0xe0])), 'image/jpeg');
  assert.equal(imageTypeOf(bytes('GIF87a')), 'image/gif');
  assert.equal(imageTypeOf(bytes('GIF89a')), 'image/gif');
  assert.equal(imageTypeOf(bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')), 'image/webp');
});

test('nothing else is an image, an SVG least of all', () => {
  const others = [
    bytes(),
    bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    bytes('<?xml version="1.0"?><svg/>'),
    bytes(pngHead.slice(0, 7)),
    bytes([0xff, 0xd8]),
    bytes('GIF88a'),
    bytes('GIF89'),
    bytes('RIFF', [1, 2, 3, 4], 'WAVE'),
    bytes('WEBP'),
    bytes(' GIF89a'),
    bytes('BM', [0, 0, 0, 0]),
    bytes('%PDF-1.7'),
  ];
  for (const other of others) assert.equal(imageTypeOf(other), null, other.toString('latin1'));
});
