import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VersionRecord } from '@stoa/contract';
import { versionGroups, versionRows } from '../../src/history/version-rows.ts';

function version(number: number, minute: number, fields: Partial<VersionRecord> = {}): VersionRecord {
  return {
    version: number,
    size: 10,
    contentType: 'text/markdown',
    contentHash: String(minute).padStart(64, '0'),
    op: 'write',
    principal: 'human',
    actorId: 'ada',
    actorKeyId: null,
    actorLabel: null,
    createdAt: new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000).toISOString(),
    ...fields,
  };
}

test('a moved file names where it came from, and its earlier stays by their paths', () => {
  const rows = versionRows('b.md', [
    version(2, 9),
    version(1, 8, { op: 'move' }),
    version(2, 7, { movedFrom: 'a.md' }),
    version(1, 6, { movedFrom: 'a.md' }),
    version(1, 1),
  ]);
  assert.deepEqual(
    rows.map(({ label, earlierPath, movedFrom, isPresentStay }) => [
      label,
      earlierPath,
      movedFrom,
      isPresentStay,
    ]),
    [
      ['saved', null, null, true],
      ['moved', null, 'a.md', true],
      ['saved', 'a.md', null, false],
      ['created', 'a.md', null, false],
      ['created', null, null, false],
    ],
  );
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
});

test('a file that was moved away and back came from the other path, then from its own', () => {
  const rows = versionRows('a.md', [
    version(1, 9, { op: 'move' }),
    version(1, 8, { op: 'move', movedFrom: 'b.md' }),
    version(1, 7),
  ]);
  assert.deepEqual(
    rows.map(({ movedFrom }) => movedFrom),
    ['b.md', 'a.md', null],
  );
});

test('saves of one credential within ten minutes fold behind the newest; nothing else does', () => {
  const key = { actorKeyId: 'k', principal: 'agent' } as const;
  const groups = versionGroups(
    versionRows('a.md', [
      version(8, 30),
      version(7, 29),
      version(6, 20),
      version(5, 19),
      version(4, 18, key),
      version(3, 17, { op: 'restore' }),
      version(2, 16),
      version(1, 15),
    ]),
  );
  assert.deepEqual(
    groups.map(({ newest, earlierSaves }) => [newest.record.version, earlierSaves.length]),
    [
      [8, 2],
      [5, 0],
      [4, 0],
      [3, 0],
      [2, 0],
      [1, 0],
    ],
  );
});

test('saves of different file ids never fold', () => {
  const groups = versionGroups(versionRows('a.md', [version(2, 5), version(3, 4), version(2, 3)]));
  assert.deepEqual(
    groups.map(({ earlierSaves }) => earlierSaves.length),
    [0, 1],
  );
});
