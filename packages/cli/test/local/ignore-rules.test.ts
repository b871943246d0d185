import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ignoreRuleMaxBytes, ignoreRulesMax, ignoreRulesMaxBytes } from '@stoa/core';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { builtInRules, parseIgnoreRules } from '../../src/local/ignore-rules.ts';

const byNames = parseIgnoreRules({ shared: '# only a remark\r\n\n', private: null });
// With an extra rule, the matcher checks every path.
const byMatcher = parseIgnoreRules({ shared: 'no file has this name', private: null });
const kinds = ['file', 'folder'] as const;

test('paths that no built-in rule can match skip the matcher', () => {
  const chunks = builtInRules.flatMap((rule) => rule.split(/[*?/\\]/)).filter((chunk) => chunk !== '');
  const part = fc.oneof(
    fc.constantFrom(...chunks, '.', '~', '#', '.swp', '12345678', 'a', 'é', '\n', ' ', '$', '\\'),
    fc.string({ maxLength: 3 }),
  );
  const segment = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((each) => each.join('').replaceAll('/', '_'));
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((each) => each.join('/'));
  fc.assert(
    fc.property(path, fc.constantFrom(...kinds), (name, kind) => {
      assert.equal(byNames.isIgnored(name, kind), byMatcher.isIgnored(name, kind));
    }),
    { numRuns: scaled(2000) },
  );
});

for (const rule of builtInRules) {
  test(`${rule} depends on names alone`, () => {
    const named = rule.replaceAll('?', 'x').replaceAll('*', 'some').replaceAll('\\', '').replace(/\/$/, '');
    for (const path of [named, `a/${named}`, `${named}/b`, `x${named}`, `${named}x`]) {
      for (const kind of kinds) {
        assert.equal(byNames.isIgnored(path, kind), byMatcher.isIgnored(path, kind), `${path}, ${kind}`);
      }
    }
    assert.ok(byNames.isIgnored(named, 'folder'));
  });
}

test('a hostile pattern costs no more than its length times that of the path', () => {
  // No time limit is needed: a matcher that backtracks would never finish.
  const rules = parseIgnoreRules({ shared: `${'**/*a/'.repeat(150)}b`, private: null });
  assert.ok(!rules.isIgnored(`${'a/'.repeat(500)}a`, 'file'));
});

test('rules beyond the limits are ignored and reported, the others apply', () => {
  const long = 'x'.repeat(ignoreRuleMaxBytes + 1);
  const { passedOver, isIgnored, rules } = parseIgnoreRules({
    shared: `kept\n${long}\nkept-too`,
    private: null,
  });
  assert.deepEqual(passedOver, [{ source: 'shared', pattern: long }]);
  assert.ok(isIgnored('kept', 'file') && isIgnored('a/kept-too', 'file') && !isIgnored(long, 'file'));
  assert.equal(rules.length, builtInRules.length + 2);
  for (const text of ['a\n'.repeat(ignoreRulesMax + 1), `${'y'.repeat(ignoreRuleMaxBytes)}\n`.repeat(40)]) {
    const many = parseIgnoreRules({ shared: null, private: text });
    const bytes = many.rules.reduce((sum, { pattern }) => sum + pattern.length, 0);
    assert.ok(many.rules.length <= builtInRules.length + ignoreRulesMax);
    assert.ok(bytes < ignoreRulesMaxBytes + 1000, `${bytes}`);
    assert.equal(
      many.rules.length + many.passedOver.length,
      builtInRules.length + text.split('\n').length - 1,
    );
  }
});

test('a path that a later rule includes again is ignored by no rule', () => {
  const { findRule } = parseIgnoreRules({ shared: '*.log\n!keep.log', private: null });
  assert.deepEqual(findRule('a.log', 'file'), { source: 'shared', pattern: '*.log' });
  assert.equal(findRule('keep.log', 'file'), null);
});
