import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import {
  fileNameOf,
  parseSearchQuery,
  type SearchPrivacy,
  searchSlips,
  type WorkspacePath,
} from '../../src/index.ts';
import { fileSet, query } from './support/arbitrary-paths.ts';
import { listOf, nothingPrivate, search } from './support/run-search.ts';

function slips(files: readonly string[], name: string, privacy: SearchPrivacy = nothingPrivate): string[] {
  const steps = searchSlips(listOf(files), parseSearchQuery(name), privacy, 1000);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.map(({ path }) => path);
  }
}

test('a name is found in which one character was wrong, or one was too many', () => {
  const files = ['notes/plan.md', 'notes/planning.md', 'log.txt'];
  for (const name of ['plan.md', 'plam.md', 'plann.md', 'xplan.md', 'plan.mx', 'PLAM.md']) {
    assert.deepEqual(slips(files, name)[0], 'notes/plan.md', name);
  }
  assert.deepEqual(slips(files, 'plxm.mx'), []);
  assert.deepEqual(slips(files, 'notes.md'), []);
});

test('the names are those that hold all characters of the query but one, in order', () => {
  fc.assert(
    fc.property(fileSet, query, (files, wanted) => {
      const characters = parseSearchQuery(wanted).characters.map(({ text }) => text);
      const names = files.filter((file) => fileNameOf(file) !== '.keep');
      const holds = (name: string) =>
        characters.some((_, without) => {
          const rest = characters.filter((_, at) => at !== without).join('');
          return rest === '' || search(listOf([name]), rest).totalMatches > 0;
        });
      const expected = names.filter((file) => holds(fileNameOf(file)));
      assert.deepEqual(slips(files, wanted).sort(), expected.sort());
    }),
    { numRuns: scaled(300) },
  );
});

test('a name that is private to another is not found', () => {
  const owned = (owner: string, within: WorkspacePath | '' = ''): SearchPrivacy => ({
    viewer: { userId: 'viewer', within },
    ownerByPath: new Map([['notes' as WorkspacePath, owner]]),
  });
  assert.deepEqual(slips(['notes/plan.md'], 'plam.md', owned('another')), []);
  assert.deepEqual(slips(['notes/plan.md'], 'plam.md', owned('viewer')), ['notes/plan.md']);
  const inNotes = owned('viewer', 'notes' as WorkspacePath);
  assert.deepEqual(slips(['notes/plan.md', 'other/plan.md'], 'plam.md', inNotes), ['notes/plan.md']);
});
