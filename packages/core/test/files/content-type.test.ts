import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import {
  contentTypeAfterMove,
  effectiveContentType,
  guessContentType,
  isMarkdown,
  isMediaType,
} from '../../src/index.ts';

const guesses: readonly (readonly [path: string, contentType: string])[] = [
  ['a.md', 'text/markdown'],
  ['a.markdown', 'text/markdown'],
  ['a.txt', 'text/plain'],
  ['a.json', 'application/json'],
  ['a.html', 'text/html'],
  ['a.htm', 'text/html'],
  ['a.css', 'text/css'],
  ['a.js', 'text/javascript'],
  ['a.ts', 'text/typescript'],
  ['a.csv', 'text/csv'],
  ['a.svg', 'image/svg+xml'],
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.gif', 'image/gif'],
  ['a.webp', 'image/webp'],
  ['a.pdf', 'application/pdf'],
  ['a.zip', 'application/zip'],
  ['a.MD', 'text/markdown'],
  ['docs.md/a', 'application/octet-stream'],
  ['docs.md/a.png', 'image/png'],
  ['a.tar.zip', 'application/zip'],
  ['a', 'application/octet-stream'],
  ['a.', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['a.__proto__', 'application/octet-stream'],
];
for (const [path, contentType] of guesses) {
  test(`${path} is guessed to be ${contentType}`, () => {
    assert.equal(guessContentType(path), contentType);
  });
}

test('a moved file keeps a type that was chosen, and a guessed one is guessed again', () => {
  assert.equal(contentTypeAfterMove('text/plain', 'a.txt', 'a.md'), 'text/markdown');
  assert.equal(contentTypeAfterMove('text/x-mine', 'a.txt', 'a.md'), 'text/x-mine');
  assert.equal(contentTypeAfterMove('application/octet-stream', 'a.bin', 'a.png'), 'image/png');
});

test('a markdown file is one by its name or by its type', () => {
  assert.equal(isMarkdown('a.md', 'application/octet-stream'), true);
  assert.equal(isMarkdown('a.MARKDOWN', 'text/plain'), true);
  assert.equal(isMarkdown('a.txt', 'text/markdown; charset=utf-8'), true);
  assert.equal(isMarkdown('a.txt', 'Text/Markdown'), true);
  assert.equal(isMarkdown('a.txt', 'text/markdown-ish'), false);
  assert.equal(isMarkdown('a.mdx', 'text/plain'), false);
});

const valid = [
  'text/plain',
  'text/plain;charset=utf-8',
  'text/plain ; charset="utf-8" ',
  'text/plain; a=b; c="d\\"e"',
  'application/vnd.api+json',
  'text/plain;',
  'text/plain; ;a=b',
  `text/${'a'.repeat(250)}`,
];
for (const text of valid) {
  test(`${text.slice(0, 40)} can be stored`, () => assert.equal(isMediaType(text), true));
}
const invalid = [
  '',
  'text',
  'text/',
  '/plain',
  'text/plain/x',
  'text plain',
  ' text/plain',
  'text/plain; charset',
  'text/plain; charset=',
  'text/plain; charset="a',
  'text/plain; a = b',
  'text/plain a=b',
  'text/pläin',
  'text/plain; a="ä"',
  'text/plain\r\nX-Other: 1',
  'text/plain\n',
  `text/${'a'.repeat(251)}`,
];
for (const text of invalid) {
  test(`${JSON.stringify(text.slice(0, 40))} cannot be stored`, () => assert.equal(isMediaType(text), false));
}

test('every accepted media type can be sent as a header', () => {
  const part = fc.constantFrom(
    'a',
    'b/c',
    ';',
    ' ',
    '\t',
    '=',
    '"',
    '\\',
    '\n',
    'é',
    '\u007f',
    ';a=b',
    ';a="',
    ' "',
  );
  const start = fc.constantFrom('', 'a', 'a/b', 'a/b;', 'a/b;c=', 'a/b;c="');
  const runs = scaled(60_000);
  let judged = 0;
  fc.assert(
    fc.property(start, fc.string({ unit: part, maxLength: 20 }), (first, rest) => {
      const text = first + rest;
      if (!isMediaType(text)) return;
      judged += 1;
      new Headers({ 'content-type': text });
      assert.match(text, /^[\t\x20-\x7e]+$/);
    }),
    { numRuns: runs },
  );
  assert.ok(judged > runs / 40, `only ${judged} of ${runs} were media types`);
});

// Each of these once doubled the time. If that returns, the test never ends.
for (const filler of ['; ', ';\t', ' ;', '; a=b ', ';a="b" ', '; a="\\" ']) {
  test(`no filler of ${JSON.stringify(filler)} makes a rejection slow`, () => {
    assert.equal(isMediaType(`a/b${filler.repeat(Math.floor(250 / filler.length))}é`), false);
  });
}

test('an unknown type gives way to the type of the extension, any other type stays', () => {
  const effective = (path: string, stored: string) => effectiveContentType(path, stored);
  for (const nothing of [
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-URLencoded; charset=utf-8',
    'application/octet-stream ; x=1',
  ]) {
    assert.equal(effective('a/b.jpg', nothing), 'image/jpeg');
    assert.equal(effective('a/b.CSV', nothing), 'text/csv');
    assert.equal(effective('a/b.svg', nothing), 'image/svg+xml');
    assert.equal(effective('a/Makefile', nothing), 'application/octet-stream');
  }
  for (const chosen of ['text/plain', 'application/octet-stream+x', 'multipart/form-data', 'image/png;q=1']) {
    assert.equal(effective('a/b.jpg', chosen), chosen);
  }
});
