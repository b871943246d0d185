import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { parseFrontMatter } from '../../src/service/front-matter/parse-front-matter.ts';
import { isStorable } from '../../src/storage/queries/query.ts';

const title = (text: string) => ({ date: null, title: text, view: null });

test('front matter is read by the core schema', () => {
  assert.deepEqual(parseFrontMatter('date: 2026-11-22\ntitle: A day\nview: calendar\n'), {
    date: '2026-11-22',
    title: 'A day',
    view: 'calendar',
  });
  assert.deepEqual(parseFrontMatter('%YAML 1.1\n--- # a comment\ntitle: yes\n'), title('yes'));
  assert.deepEqual(parseFrontMatter('title: !!str 42\n'), title('42'));
  assert.deepEqual(parseFrontMatter('? title\n: !unknown Plan\n'), title('Plan'));
  assert.deepEqual(parseFrontMatter('"title": &anchor Plan\n'), title('Plan'));
  assert.deepEqual(parseFrontMatter('{ title: Plan }\n'), title('Plan'));
  assert.equal(parseFrontMatter('Title: Plan\n'), null);
  assert.equal(parseFrontMatter('<<: { title: Plan }\n'), null);
  assert.equal(parseFrontMatter('__proto__: { title: Plan }\n'), null);
});

test('nesting is read up to a bound, and no deeper', () => {
  const nested = (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}\ntitle: Plan\n`;
  assert.deepEqual(parseFrontMatter(nested(50)), title('Plan'));
  assert.equal(parseFrontMatter(nested(200)), null);
});

test('a duplicate key is found at any depth, and equal keys of different mappings are allowed', () => {
  assert.deepEqual(parseFrontMatter('a: { x: 1 }\nb: { x: 2 }\ntitle: Plan\n'), title('Plan'));
  assert.equal(parseFrontMatter('a:\n  - x: 1\n    x: 2\ntitle: Plan\n'), null);
  assert.equal(parseFrontMatter('a: 1\n"a": 2\ntitle: Plan\n'), null);
});

const units = [
  '[',
  '{',
  '{a: ',
  '- ',
  '? ',
  'a:\n',
  '[a]: 1\n',
  '*a ',
  '&a ',
  '"',
  '"\n',
  '|\n',
  '#\n',
  '\t',
  ']',
];
const limit = 64 * 1024;

for (const unit of units) {
  test(`64 KiB of ${JSON.stringify(unit)} are not front matter`, () => {
    assert.equal(parseFrontMatter(unit.repeat(limit / unit.length)), null);
  });
}

test('any text has one result, which both databases can store', () => {
  const chunk = fc.constantFrom(
    ...units,
    ...[
      'title',
      'date',
      'view',
      ': ',
      '\n',
      '  ',
      'calendar',
      '2026-11-22',
      "'",
      '\\u2028',
      '\\ud800',
      '\\0',
      ',',
      '}',
    ],
    ...['---', '...', '!!str ', '%YAML 1.1\n', 'é😀', '\r', '\ud800', '\0', '\ufeff'],
  );
  const text = fc.array(chunk, { maxLength: 40 }).map((chunks) => chunks.join(''));
  fc.assert(
    fc.property(text, (block) => {
      const found = parseFrontMatter(block);
      assert.deepEqual(parseFrontMatter(block), found);
      for (const value of Object.values(found ?? {})) assert.ok(value === null || isStorable(value));
    }),
    { numRuns: scaled(2000) },
  );
});
