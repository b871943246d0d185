import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import {
  conflictedCopyPaths,
  fileNameOf,
  parseConflictedCopyPath,
  parseWorkspacePath,
  type WorkspacePath,
} from '../../src/index.ts';

const now = Date.UTC(2026, 10, 20, 14, 30, 12);

function copyOf(path: string, writer = 'Claude Code', attempt = 1): string {
  const candidates = conflictedCopyPaths(parseWorkspacePath(path), now, writer);
  return candidates.take(attempt).toArray().at(-1) ?? '';
}

const table: readonly (readonly [path: string, copy: string])[] = [
  ['plan.md', 'plan (conflicted copy 2026-11-20 143012 Claude Code).md'],
  ['docs/plan.md', 'docs/plan (conflicted copy 2026-11-20 143012 Claude Code).md'],
  ['plan', 'plan (conflicted copy 2026-11-20 143012 Claude Code)'],
  ['.env', '.env (conflicted copy 2026-11-20 143012 Claude Code)'],
  ['a.tar.gz', 'a.tar (conflicted copy 2026-11-20 143012 Claude Code).gz'],
  ['v1.2/plan', 'v1.2/plan (conflicted copy 2026-11-20 143012 Claude Code)'],
  [
    'plan (conflicted copy 2025-01-01 000000 Bob) 3.md',
    'plan (conflicted copy 2026-11-20 143012 Claude Code).md',
  ],
];
for (const [path, copy] of table) {
  test(`the copy of ${path} is ${copy}`, () => assert.equal(copyOf(path), copy));
}

test('a taken name is numbered from 2', () => {
  assert.equal(copyOf('plan.md', 'Bob', 2), 'plan (conflicted copy 2026-11-20 143012 Bob) 2.md');
  assert.equal(copyOf('plan.md', 'Bob', 3), 'plan (conflicted copy 2026-11-20 143012 Bob) 3.md');
});

test('a writer is named with the characters that a file name allows', () => {
  assert.equal(copyOf('a.md', ''), 'a (conflicted copy 2026-11-20 143012).md');
  assert.equal(copyOf('a.md', '../\\:*?"<>|()\0\n'), 'a (conflicted copy 2026-11-20 143012).md');
  assert.equal(copyOf('a.md', ' Zoë   Ω... '), 'a (conflicted copy 2026-11-20 143012 Zoë Ω).md');
  assert.equal(copyOf('a.md', 'x'.repeat(500)), `a (conflicted copy 2026-11-20 143012 ${'x'.repeat(40)}).md`);
});

const character = fc.constantFrom('a', 'é', '界', '😀', ' ', '(', ')', '.', '\u0301', '-');
const bytes = (text: string) => Buffer.byteLength(text);
const segment = fc
  .string({ unit: character, minLength: 1, maxLength: 255 })
  .map((text) => {
    const characters = [...text.normalize('NFC')];
    while (bytes(characters.join('')) > 255) characters.pop();
    return characters.join('');
  })
  .filter((text) => !/^\.*$/.test(text));
const anyPath: fc.Arbitrary<WorkspacePath> = fc
  .array(segment, { minLength: 1, maxLength: 8 })
  .map((segments) => {
    while ([...segments.join('/')].length > 1024) segments.shift();
    return parseWorkspacePath(segments.join('/'));
  });
const writer = fc.string({
  unit: fc.oneof(character, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
});

test('every path has copies, which are paths, differ from each other and carry the marker once', () => {
  fc.assert(
    fc.property(anyPath, writer, (path, name) => {
      const copies = conflictedCopyPaths(path, now, name).take(12).toArray();
      assert.equal(new Set(copies).size, 12);
      for (const copy of copies) {
        assert.equal(parseWorkspacePath(copy), copy);
        assert.notEqual(copy, path);
        assert.equal(fileNameOf(copy).match(/\(conflicted copy 2026-11-20 143012/g)?.length, 1);
      }
    }),
    { numRuns: scaled(1000) },
  );
});

test('no length of an extension leaves a losing write without a name', () => {
  for (let length = 1; length <= 250; length += 1) {
    for (const stem of ['a', '😀', '界']) {
      const extension = `.${'x'.repeat(length)}`;
      if (bytes(stem + extension) > 255) continue;
      assert.ok(bytes(copyOf(stem + extension)) <= 255);
    }
  }
});

test('a copy stays in the folder while a marked name fits there', () => {
  fc.assert(
    fc.property(segment, segment, (folder, name) => {
      const path = parseWorkspacePath(`${folder}/${name}`);
      assert.equal(copyOf(path).slice(0, folder.length + 1), `${folder}/`);
    }),
  );
  const deep = Array.from({ length: 5 }, () => 'a'.repeat(203)).join('/');
  assert.equal([...copyOf(`${deep}/bbb`)].length <= 1024, true);
});

test('a copy of a copy carries one marker, however often it is repeated', () => {
  fc.assert(
    fc.property(segment, writer, (name, who) => {
      let path = parseWorkspacePath(name);
      for (let i = 0; i < 4; i += 1) path = parseWorkspacePath(copyOf(path, who));
      assert.equal(path.match(/\(conflicted copy /g)?.length, 1);
    }),
  );
});

const parsed = (path: string) => parseConflictedCopyPath(parseWorkspacePath(path));

for (const [path, copy] of table) {
  const original = path.replace(/ \(conflicted copy .*\) 3/, '');
  test(`${copy} is read as a copy of ${original}`, () => {
    assert.deepEqual(parsed(copy), { original, madeAt: now, writer: 'Claude Code' });
  });
}

const otherNames: readonly (readonly [copy: string, original: string | null])[] = [
  ['a (conflicted copy 2026-11-20 143012 Bob) 2.md', 'a.md'],
  ['a (b) (conflicted copy 2026-11-20 143012 Bob).md', 'a (b).md'],
  ['a (conflicted copy 2026-11-20 143012 Bob).b (c)', 'a.b (c)'],
  ['.env (conflicted copy 2026-11-20 143012 Bob)', '.env'],
  ['a (conflicted copy 2026-11-20 143012 bob.example)', 'a'],
  [
    'a (conflicted copy 2025-01-01 000000 Al) b (conflicted copy 2026-11-20 143012 Bob)',
    'a (conflicted copy 2025-01-01 000000 Al) b',
  ],
  ['a (conflicted copy 2026-11-20 143012 Bob) of mine.md', null],
  ['a (conflicted copy 2026-02-30 143012 Bob).md', null],
  ['a (conflicted copy 2026-11-20 246012 Bob).md', null],
  ['a (conflicted copy 2026-11-20 143012 (Bob)).md', null],
  ['a(conflicted copy 2026-11-20 143012 Bob).md', null],
  [' (conflicted copy 2026-11-20 143012 Bob)', null],
  ['.. (conflicted copy 2026-11-20 143012 Bob)', null],
  ['a (conflicted copy 2026-11-20 143012 Bob)/b.md', null],
  ['plan.md', null],
];
for (const [copy, original] of otherNames) {
  test(`${copy} is read as ${original === null ? 'no copy' : `a copy of ${original}`}`, () => {
    assert.equal(parsed(copy)?.original ?? null, original);
  });
}

test('the name of a copy contains its original, its time and its writer', () => {
  const marked = / \(conflicted copy \d{4}-\d{2}-\d{2} \d{6}[^()]*\)(?: \d+)?$/;
  const madeAt = fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(anyPath, writer, madeAt, fc.integer({ min: 1, max: 12 }), (path, name, time, attempt) => {
      // Names that have to be shortened for the marker cannot be read back whole.
      fc.pre(bytes(fileNameOf(path)) < 100 && [...path].length < 900);
      const copy =
        conflictedCopyPaths(path, time + 999, name)
          .take(attempt)
          .toArray()
          .at(-1) ?? path;
      const read = parseConflictedCopyPath(copy);
      assert.deepEqual([read?.original, read?.madeAt], [path, time]);
      assert.equal(copy.includes(`${read?.writer === '' ? '' : ` ${read?.writer}`})`), true);
      assert.doesNotMatch(read?.original ?? '', marked);
      // Its own copy is of the same file.
      const [again = copy] = conflictedCopyPaths(copy, time, 'Bob');
      assert.deepEqual(parseConflictedCopyPath(again), { original: path, madeAt: time, writer: 'Bob' });
    }),
    { numRuns: scaled(1000) },
  );
});

test('a name that had to be shortened keeps folder, time and writer, and what it kept of the name begins alike', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      const [copy = path] = conflictedCopyPaths(path, now, 'Bob');
      const read = parseConflictedCopyPath(copy);
      assert.deepEqual([read?.madeAt, read?.writer], [now, 'Bob']);
      assert.ok(read !== null && fileNameOf(path).startsWith([...fileNameOf(read.original)][0] ?? '?'));
    }),
    { numRuns: scaled(1000) },
  );
});
