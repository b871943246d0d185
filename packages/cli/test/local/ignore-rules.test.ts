import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { builtInRules, parseIgnoreRules } from '../../src/local/ignore-rules.ts';

const byNames = parseIgnoreRules({ shared: '# only a remark\r\n\n', private: null });
// With a rule of one's own, the library is asked about everything.
const byLibrary = parseIgnoreRules({ shared: 'no file has this name', private: null });
const kinds = ['file', 'folder'] as const;

test('paths that no built-in rule names are known without the library', () => {
  const pieces = builtInRules.flatMap((rule) => rule.split(/[*?/\\]/)).filter((piece) => piece !== '');
  const piece = fc.oneof(
    fc.constantFrom(...pieces, '.', '~', '#', '.swp', '12345678', 'a', 'é', '\n', ' ', '$', '\\'),
    fc.string({ maxLength: 3 }),
  );
  const segment = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .map((each) => each.join('').replaceAll('/', '_'));
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((each) => each.join('/'));
  fc.assert(
    fc.property(path, fc.constantFrom(...kinds), (name, kind) => {
      assert.equal(byNames.isIgnored(name, kind), byLibrary.isIgnored(name, kind));
    }),
    { numRuns: scaled(2000) },
  );
});

for (const rule of builtInRules) {
  test(`${rule} is a rule that names alone decide`, () => {
    const named = rule.replaceAll('?', 'x').replaceAll('*', 'some').replaceAll('\\', '').replace(/\/$/, '');
    for (const path of [named, `a/${named}`, `${named}/b`, `x${named}`, `${named}x`]) {
      for (const kind of kinds) {
        assert.equal(byNames.isIgnored(path, kind), byLibrary.isIgnored(path, kind), `${path}, ${kind}`);
      }
    }
    assert.ok(byNames.isIgnored(named, 'folder'));
  });
}
