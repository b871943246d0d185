import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../tests/support/random.ts';
import {
  compareByCodePoint,
  fileNameOf,
  foldersAbove,
  isWithin,
  parsePathPrefix,
  parseUrlPath,
  parseWorkspacePath,
  rebasePath,
  WorkspaceError,
} from '../src/index.ts';

const rejected = (error: unknown) => error instanceof WorkspaceError && error.code === 'invalid_path';

const accepted: readonly (readonly [sent: string, path: string])[] = [
  ['a.md', 'a.md'],
  ['/a/b.md', 'a/b.md'],
  ['a//b', 'a/b'],
  ['./a/./b', 'a/b'],
  ['a/b/', 'a/b'],
  ['a..b', 'a..b'],
  ['...', '...'],
  ['.keep', '.keep'],
  ['A/a', 'A/a'],
  ['cafe\u0301', 'café'],
  [' a ', ' a '],
  ['\u00a0', '\u00a0'],
  ['😀'.repeat(63), '😀'.repeat(63)],
  [`${'a'.repeat(255)}/b`, `${'a'.repeat(255)}/b`],
];
for (const [sent, path] of accepted) {
  test(`${JSON.stringify(sent.slice(0, 40))} is the path ${JSON.stringify(path.slice(0, 40))}`, () => {
    assert.equal(parseWorkspacePath(sent), path);
  });
}

const longest = Array.from({ length: 5 }, () => 'a'.repeat(204)).join('/');
const errors: readonly (readonly [what: string, sent: string])[] = [
  ['an empty path', ''],
  ['a path of nothing but separators', '/./'],
  ['..', 'a/../b'],
  ['.. at the end', 'a/..'],
  ['a backslash', 'a\\b'],
  ['a null byte', 'a\0b'],
  ['a line break', 'a\nb'],
  ['DEL', 'a\u007fb'],
  ['a C1 control character', 'a\u0085b'],
  ['a lone surrogate', 'a\ud800b'],
  ['a segment of 256 bytes', 'a'.repeat(256)],
  ['a segment of 64 emoji', '😀'.repeat(64)],
  ['1025 characters', `${longest}/a`],
  ['a path far beyond any limit', 'a/'.repeat(100_000)],
];
for (const [what, sent] of errors) {
  test(`${what} is rejected`, () => {
    assert.throws(() => parseWorkspacePath(sent), rejected);
  });
}

test('the longest path has 1024 characters, counted as characters and after what is dropped', () => {
  assert.equal(longest.length, 1024);
  assert.equal(parseWorkspacePath(longest), longest);
  assert.equal(parseWorkspacePath(`.//${longest}/./`), longest);
  const emoji = Array.from({ length: 16 }, () => '😀'.repeat(63)).join('/');
  assert.equal(parseWorkspacePath(emoji), emoji);
  assert.throws(
    () => parseWorkspacePath(Array.from({ length: 17 }, () => '😀'.repeat(60)).join('/')),
    rejected,
  );
});

test('an empty prefix means the whole workspace, and a trailing slash is allowed', () => {
  assert.equal(parsePathPrefix(''), '');
  assert.equal(parsePathPrefix('/'), '');
  assert.equal(parsePathPrefix('docs/'), 'docs');
  assert.throws(() => parsePathPrefix('../docs'), rejected);
});

test('a path in a URL is decoded once', () => {
  assert.equal(parseUrlPath('a%20b/c%2Fd'), 'a b/c/d');
  assert.equal(parseUrlPath('a%252Fb'), 'a%2Fb');
  assert.equal(parseUrlPath('%25'), '%');
  for (const raw of ['a/%2e%2e/b', '%5C', '%00', '%', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%2f']) {
    assert.throws(() => parseUrlPath(raw), rejected, raw);
  }
});

const anyText = fc.string({
  unit: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'B', '/', '.', '\u0301', 'e', '😀', ' ', '-', '\uffff', '\ue000'),
    },
    { weight: 1, arbitrary: fc.constantFrom('\\', '\0', '\n', '\ud800', '\udc00') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  ),
  maxLength: 30,
});

/** Returns the canonical path of a text, or null if it is rejected. Any other error is a bug. */
function tryParse(text: string) {
  try {
    return parseWorkspacePath(text);
  } catch (error) {
    assert.ok(rejected(error));
    return null;
  }
}

test('every text is rejected or becomes a canonical path, which parses to itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const path = tryParse(text);
      if (path === null) return;
      assert.equal(parseWorkspacePath(path), path);
      assert.equal(path.normalize('NFC'), path);
      for (const segment of path.split('/')) assert.ok(!['', '.', '..'].includes(segment));
      assert.doesNotMatch(path, /[\\\p{Cc}\p{Cs}]/u);
      assert.equal(parseUrlPath(path.split('/').map(encodeURIComponent).join('/')), path);
    }),
    { numRuns: scaled(3000) },
  );
});

const somePath = anyText.map(tryParse).filter((path) => path !== null);

test('the folders above a path are its proper prefixes, outermost first', () => {
  fc.assert(
    fc.property(somePath, (path) => {
      const folders = foldersAbove(path);
      const segments = path.split('/');
      assert.deepEqual(
        folders,
        segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/')),
      );
      assert.equal([...folders.slice(-1), fileNameOf(path)].join('/'), path);
    }),
  );
});

test('a path is within itself, the folders above it and the workspace, and in nothing else', () => {
  fc.assert(
    fc.property(somePath, somePath, (a, b) => {
      assert.equal(isWithin(a, ''), true);
      assert.equal(isWithin(a, b), [a, ...foldersAbove(a)].includes(b));
    }),
  );
  assert.equal(isWithin('docs2/a', 'docs'), false);
});

test('a path carried to another folder keeps what is below', () => {
  fc.assert(
    fc.property(somePath, somePath, somePath, (from, to, below) => {
      assert.equal(rebasePath(parseWorkspacePath(`${from}/${below}`), from, to), `${to}/${below}`);
      assert.equal(rebasePath(from, from, to), to);
    }),
  );
});

test('paths are ordered by code point, as UTF-8 bytes are', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      fc.pre(a.isWellFormed() && b.isWellFormed());
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.equal(Math.sign(compareByCodePoint(a, b)), order);
    }),
    { numRuns: scaled(3000) },
  );
  assert.ok(compareByCodePoint('\uffff', '😀') < 0, 'UTF-16 units would say otherwise');
});

test('a plain path gives the same result as a check of each character', () => {
  const reading = (text: string): string => {
    try {
      return parseWorkspacePath(text);
    } catch (error) {
      if (error instanceof WorkspaceError) return `refused: ${error.message}`;
      throw error;
    }
  };
  const chunk = fc.oneof(fc.constantFrom('/', '.', '..', '\\', ' ', '-', '_', '~', 'a'), fc.string());
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 8 }).map((each) => each.join('')),
      (text) => {
        // Paths that begin like this one are never plain.
        if (text !== '') assert.equal(reading(text), reading(`./${text}`));
      },
    ),
    { numRuns: scaled(500) },
  );
});
