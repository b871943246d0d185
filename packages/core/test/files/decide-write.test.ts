import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContentHash,
  decideDelete,
  decideWrite,
  isContentHash,
  type WriteDecision,
  type WritePrecondition,
} from '../../src/index.ts';

const [same, other] = ['a'.repeat(64) as ContentHash, 'b'.repeat(64) as ContentHash];
const current = { version: 3, contentHash: same };
const version = (n: number): WritePrecondition => ({ kind: 'version', version: n });

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
  test(`a write ${what}`, () => assert.deepEqual(decideWrite(file, incoming, precondition), decision));
}

test('no write replaces bytes that its sender did not name by their version', () => {
  const hash = fc.constantFrom(same, other);
  const precondition = fc.oneof(
    fc.constantFrom<WritePrecondition>({ kind: 'none' }, { kind: 'absent' }),
    fc.integer({ min: 1, max: 5 }).map(version),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      hash,
      hash,
      precondition,
      (n, contentHash, incoming, expected) => {
        const decision = decideWrite({ version: n, contentHash }, incoming, expected);
        const isCurrent = expected.kind === 'version' && expected.version === n;
        assert.equal(decision.kind === 'update', isCurrent);
        if (decision.kind === 'update') assert.equal(decision.version, n + 1);
        if (decision.kind === 'unchanged') assert.equal(incoming, contentHash);
        if (decision.kind === 'conflict') assert.notEqual(incoming, contentHash);
      },
    ),
  );
});

test('only the version that the caller saw is deleted', () => {
  assert.deepEqual(decideDelete(3, 3), { kind: 'delete', version: 3 });
  for (const stale of [1, 2, 4])
    assert.deepEqual(decideDelete(3, stale), { kind: 'conflict', currentVersion: 3 });
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
