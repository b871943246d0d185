import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContentHash,
  decideDelete,
  decideWrite,
  isContentHash,
  type OnConflict,
  type WriteDecision,
  type WritePrecondition,
} from '../../src/index.ts';

const [same, other] = ['a'.repeat(64) as ContentHash, 'b'.repeat(64) as ContentHash];
const current = { version: 3, contentHash: same };
const version = (n: number, contentHash: ContentHash | null = null): WritePrecondition => ({
  kind: 'version',
  version: n,
  contentHash,
});

const table: readonly (readonly [
  what: string,
  current: typeof current | null,
  incoming: ContentHash,
  precondition: WritePrecondition,
  decision: WriteDecision,
])[] = [
  ['without a precondition creates an absent file', null, other, { kind: 'none' }, { kind: 'create' }],
  ['that expects no file creates it', null, other, { kind: 'absent' }, { kind: 'create' }],
  ['that expects a version of a deleted file recreates it', null, other, version(3), { kind: 'create' }],
  [
    'without a precondition is not allowed on an existing file',
    current,
    same,
    { kind: 'none' },
    { kind: 'precondition_required', currentVersion: 3 },
  ],
  ['at the current version updates', current, other, version(3), { kind: 'update', version: 4 }],
  [
    'of identical bytes at the current version updates',
    current,
    same,
    version(3),
    { kind: 'update', version: 4 },
  ],
  [
    'of identical bytes at a stale version changes nothing',
    current,
    same,
    version(2),
    { kind: 'unchanged', version: 3 },
  ],
  ['at a stale version conflicts', current, other, version(2), { kind: 'conflict', currentVersion: 3 }],
  ['at a version yet to come conflicts', current, other, version(4), { kind: 'conflict', currentVersion: 3 }],
  [
    'at the current version and content updates',
    current,
    other,
    version(3, same),
    { kind: 'update', version: 4 },
  ],
  [
    'at the current version of other content conflicts',
    current,
    'c'.repeat(64) as ContentHash,
    version(3, other),
    { kind: 'conflict', currentVersion: 3 },
  ],
  [
    'at a stale version of the current content conflicts',
    current,
    other,
    version(2, same),
    { kind: 'conflict', currentVersion: 3 },
  ],
  [
    'of identical bytes on other content changes nothing',
    current,
    same,
    version(3, other),
    { kind: 'unchanged', version: 3 },
  ],
  ['that expects content of a deleted file recreates it', null, other, version(3, same), { kind: 'create' }],
  [
    'that expects no file conflicts with one',
    current,
    other,
    { kind: 'absent' },
    { kind: 'conflict', currentVersion: 3 },
  ],
  [
    'that expects no file changes nothing where the same bytes are',
    current,
    same,
    { kind: 'absent' },
    { kind: 'unchanged', version: 3 },
  ],
];
for (const [what, file, incoming, precondition, decision] of table) {
  test(`a write ${what}`, () => {
    assert.deepEqual(decideWrite(file, incoming, precondition, 'keep'), decision);
    const rejected = decision.kind === 'conflict' ? { ...decision, kind: 'refused' } : decision;
    assert.deepEqual(decideWrite(file, incoming, precondition, 'refuse'), rejected);
  });
}

test('a write replaces only bytes whose version the sender named', () => {
  const hash = fc.constantFrom(same, other);
  const precondition = fc.oneof(
    fc.constantFrom<WritePrecondition>({ kind: 'none' }, { kind: 'absent' }),
    fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.option(hash))
      .map(([n, contentHash]) => version(n, contentHash)),
  );
  const onConflict = fc.constantFrom<OnConflict>('keep', 'refuse');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      hash,
      hash,
      precondition,
      onConflict,
      (n, contentHash, incoming, expected, onConflict) => {
        const decision = decideWrite({ version: n, contentHash }, incoming, expected, onConflict);
        const isCurrent =
          expected.kind === 'version' &&
          expected.version === n &&
          [null, contentHash].includes(expected.contentHash);
        assert.equal(decision.kind === 'update', isCurrent);
        if (decision.kind === 'update') assert.equal(decision.version, n + 1);
        if (decision.kind === 'unchanged') assert.equal(incoming, contentHash);
        if (decision.kind === 'conflict' || decision.kind === 'refused') {
          assert.notEqual(incoming, contentHash);
          assert.equal(decision.kind === 'conflict', onConflict === 'keep');
        }
      },
    ),
  );
});

test('only the version that the caller saw is deleted', () => {
  for (const contentHash of [null, same]) {
    assert.deepEqual(decideDelete(current, { version: 3, contentHash }), { kind: 'delete', version: 3 });
    for (const version of [1, 2, 4]) {
      const decision = decideDelete(current, { version, contentHash });
      assert.deepEqual(decision, { kind: 'conflict', currentVersion: 3 });
    }
  }
  const another = decideDelete(current, { version: 3, contentHash: other });
  assert.deepEqual(another, { kind: 'conflict', currentVersion: 3 });
});

test('a content hash is 64 lower-case hex digits', () => {
  assert.equal(isContentHash('0123456789abcdef'.repeat(4)), true);
  for (const text of [
    '',
    'a'.repeat(63),
    'a'.repeat(65),
    'A'.repeat(64),
    'g'.repeat(64),
    `${'a'.repeat(64)}\n`,
  ]) {
    assert.equal(isContentHash(text), false);
  }
});
