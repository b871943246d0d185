import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { compareByCodePoint, fileNameOf, foldersAbove, type WorkspacePath } from '../../src/index.ts';
import { memberViewer } from '../../src/visibility.ts';
import { fileSet, query } from './support/arbitrary-paths.ts';
import { listOf, search } from './support/run-search.ts';

const fold = (text: string) =>
  [...text.normalize('NFC')].flatMap((c) => [...c.toLowerCase().toUpperCase().toLowerCase()]);

function matches(text: string, wanted: string): boolean {
  const left = fold(wanted).filter((c) => !/\s/u.test(c));
  for (const c of fold(text)) if (c === left[0]) left.shift();
  return left.length === 0;
}

function expectedMatches(visible: readonly WorkspacePath[], wanted: string): string[] {
  const folders = new Set(visible.flatMap(foldersAbove));
  const files = visible.filter((file) => fileNameOf(file) !== '.keep');
  return [...[...folders].map((p) => `${p}/`), ...files]
    .filter((p) => matches(p.replace(/\/$/, ''), wanted))
    .sort();
}

const label = ({ path: p, isDir }: { path: string; isDir: boolean }) => (isDir ? `${p}/` : p);

test('the matches are exactly the paths that contain the characters in order', () => {
  fc.assert(
    fc.property(fileSet, query, (files, wanted) => {
      const { results, totalMatches } = search(listOf(files), wanted);
      assert.deepEqual(results.map(label).sort(), expectedMatches(files, wanted));
      assert.equal(totalMatches, results.length);
    }),
    { numRuns: scaled(2000) },
  );
});

test('a smaller limit takes the beginning of the same ranking, with the same total', () => {
  fc.assert(
    fc.property(fileSet, query, fc.nat(8), (files, wanted, limit) => {
      const list = listOf(files);
      const all = search(list, wanted);
      const some = search(list, wanted, { limit });
      assert.deepEqual(some.results, all.results.slice(0, limit));
      assert.equal(some.totalMatches, all.totalMatches);
      assert.equal(some.truncated, all.totalMatches > limit);
    }),
    { numRuns: scaled(2000) },
  );
});

test('results are ordered by score, then the shorter path, then code point', () => {
  fc.assert(
    fc.property(fileSet, query, (files, wanted) => {
      const { results } = search(listOf(files), wanted);
      const ordered = results.toSorted(
        (a, b) => b.score - a.score || a.path.length - b.path.length || compareByCodePoint(a.path, b.path),
      );
      assert.deepEqual(results, ordered);
      for (const { score, name, path: p } of results) {
        assert.ok(Number.isInteger(score) && score >= 1);
        assert.equal(name, fileNameOf(p));
      }
    }),
  );
});

test('private items of another member are not found or counted and reveal no folder', () => {
  const owner = fc.constantFrom('viewer', 'other');
  const scene = fileSet.chain((files) => {
    const positions = ['nowhere' as WorkspacePath, ...files.flatMap((file) => [file, ...foldersAbove(file)])];
    const records = fc.array(fc.tuple(fc.constantFrom(...positions), owner), { maxLength: 6 });
    return fc.record({ files: fc.constant(files), records });
  });
  fc.assert(
    fc.property(scene, query, ({ files, records }, wanted) => {
      const ownerByPath = new Map(records);
      const visible = files.filter((file) => {
        const nearest = [file, ...foldersAbove(file).reverse()].find((position) => ownerByPath.has(position));
        return nearest === undefined || ownerByPath.get(nearest) === 'viewer';
      });
      const privacy = { viewer: memberViewer('viewer'), ownerByPath };
      const outcome = search(listOf(files), wanted, { privacy });
      assert.deepEqual(outcome, search(listOf(visible), wanted));
    }),
    { numRuns: scaled(2000) },
  );
});
