import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRepository, RepositoryHeads } from '../../src/index.ts';

/** Of these paths, those that would make a repository. */
function headsOf(...paths: readonly string[]): readonly string[] {
  const heads = new RepositoryHeads();
  for (const path of paths) heads.add(path);
  return paths.filter((path) => heads.has(path));
}

for (const [paths, heads] of [
  [['HEAD', 'objects/a', 'refs/a', 'config'], ['HEAD']],
  [['a/b/HEAD', 'a/b/objects/a', 'a/b/refs/a'], ['a/b/HEAD']],
  // The user may make the part that is missing.
  [['HEAD', 'objects/a'], ['HEAD']],
  [['HEAD', 'refs/heads/main'], ['HEAD']],
  [['HEAD', 'commondir'], ['HEAD']],
  [['HEAD', 'objects'], ['HEAD']],
  [['head', 'Objects/a', 'REFS/a'], ['head']],
  [['HE\u200cAD', 'objects/a'], ['HE\u200cAD']],
  [['HEAD. ', 'refs./a'], ['HEAD. ']],
  [['ＨＥＡＤ', 'ref\u017f/a'], ['ＨＥＡＤ']],
  [['X/HEAD', 'x/objects/a'], ['X/HEAD']],
  [['HEAD'], []],
  [['HEAD.md', 'objects/a', 'refs/a'], []],
  [['HEAD/a', 'objects/a', 'refs/a'], []],
  [['a/HEAD', 'objects/a', 'b/refs/a'], []],
  [['HEAD', 'my-objects/a', 'refs.md'], []],
] as const) {
  test(`of ${JSON.stringify(paths)}, ${JSON.stringify(heads)} would make a git repository`, () => {
    assert.deepEqual(headsOf(...paths), heads);
  });
}

for (const [names, is] of [
  ['HEAD objects/ refs/', true],
  ['HEAD commondir', true],
  ['head objects refs/ config', true],
  ['HEAD objects/', false],
  ['HEAD/ objects/ refs/', false],
  ['objects/ refs/ config', false],
] as const) {
  test(`a folder with ${names} ${is ? 'is' : 'is not'} a git repository`, () => {
    const entries = names.split(' ').map((name) => ({
      name: name.replace('/', ''),
      kind: name.endsWith('/') ? 'folder' : 'file',
    }));
    assert.equal(isRepository(entries), is);
  });
}
