import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import {
  diskKey,
  isHiddenPath,
  localNameProblem,
  type NameTraits,
  parseWorkspacePath,
  readLocalName,
} from '../../src/index.ts';
import { foldedName } from '../../src/names/folded-name.ts';

const linux: NameTraits = { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' };
const mac: NameTraits = { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' };
const windows: NameTraits = { foldsCase: true, unicodeForm: 'kept', forbids: 'windows' };

for (const path of [
  '.stoa/config.json',
  '.STOA/x',
  '.st\u200coa/x',
  'sub/.stoa/config.json',
  '.git/config',
  'git~1/x',
  'STOA~12',
  '.git./hooks/pre-commit',
  '.git ::$INDEX_ALLOCATION/x',
  '．git/config',
  '.\u{1d420}it',
  'a/.Stoa',
  '.hg/hgrc',
  '.HG',
  'a/hg~1/hgrc',
  '_darcs/prefs/defaults',
  '_DARCS./x',
  '.jj/repo/config.toml',
  '.b\u200czr/x',
  '.pijul/config',
  '.sl/config',
  '.repo/repo/main.py',
  '_MTN/monotonerc',
  '_FOSSIL_',
  '.fslckout',
  'FSLCKO~1',
]) {
  test(`${JSON.stringify(path)} is never made on any disk`, () => {
    assert.ok(isHiddenPath(path));
    assert.equal(localNameProblem(parseWorkspacePath(path), linux)?.reason, 'hostile_name');
  });
}

for (const path of [
  '.gitignore',
  '.github/x',
  'git',
  'stoa/x',
  '.stoaignore',
  'git~x',
  'a.git',
  '~git',
  'hg',
  '.hgignore',
  '.repository',
  'darcs',
  '_fossil',
]) {
  test(`${path} is a name like any other`, () => {
    assert.ok(!isHiddenPath(path));
    assert.equal(localNameProblem(parseWorkspacePath(path), linux), null);
  });
}

for (const path of ['a/CON.md', 'nul', 'com¹.txt', 'a:b', 'what?', 'end.', 'end /x', 'Lpt9']) {
  test(`${JSON.stringify(path)} is possible here and not on Windows`, () => {
    assert.equal(localNameProblem(parseWorkspacePath(path), linux), null);
    assert.equal(localNameProblem(parseWorkspacePath(path), windows)?.reason, 'name_not_possible');
  });
}

test('names that a disk takes for one have one key', () => {
  assert.equal(diskKey('Straße/É', mac), diskKey('STRASSE/e\u0301', mac));
  assert.notEqual(diskKey('a', linux), diskKey('A', linux));
  assert.equal(diskKey('e\u0301', { ...linux, unicodeForm: 'folded' }), 'é');
});

test('a local name has the path of its NFC form, or a reason against it', () => {
  assert.deepEqual(readLocalName('e\u0301.md'), { kind: 'path', path: 'é.md' });
  assert.equal(readLocalName('a\\b').kind, 'refused');
  assert.equal(readLocalName('x'.repeat(256)).kind, 'refused');
  assert.equal(readLocalName('a\nb').kind, 'refused');
});

test('a name of ASCII alone folds as it does with a character that is ignored', () => {
  const chunk = fc.oneof(
    fc.constantFrom('.', ' ', ':', 'GIT', '.Stoa', '~1'),
    fc.string({ unit: 'binary-ascii' }),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 4 }), (chunks) => {
      const name = chunks.join('');
      assert.equal(foldedName(name), foldedName(`${name}\u200c`));
    }),
    { numRuns: scaled(500) },
  );
});
