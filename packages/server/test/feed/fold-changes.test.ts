import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeOp, parseWorkspacePath } from '@stoa/core';
import { FoldedChanges } from '../../src/service/feed/fold-changes.ts';
import type { ChangeRow } from '../../src/service/ports/changes.ts';

interface Told {
  readonly op: ChangeOp;
  readonly path: string;
  readonly version?: number;
  readonly from?: string;
  readonly of?: string;
  /** By the caller's own key. */
  readonly own?: boolean;
}

/** What is told of these changes, one word of it for each file: kind, path, where it was, comments. */
function fold(...told: readonly Told[]): readonly string[] {
  const folded = new FoldedChanges(({ actorKeyId }) => actorKeyId === 'own');
  told.forEach(({ op, path, version = 1, from, of, own }, index) => {
    const row: ChangeRow = {
      workspaceId: 'ws',
      seq: index + 1,
      path: parseWorkspacePath(path),
      op,
      version,
      contentHash: null,
      createdAt: index,
      principal: 'agent',
      actorId: 'ada',
      actorKeyId: own === true ? 'own' : 'other',
      actorLabel: null,
      movedFrom: from === undefined ? null : parseWorkspacePath(from),
      conflictOf: of === undefined ? null : parseWorkspacePath(of),
      conflictBase: null,
      onlyUserId: null,
      exceptUserId: null,
    };
    folded.add(row);
  });
  return folded.files().map(({ kind, path, origin, base, last, comments }) => {
    const before = base === null ? '' : ` before ${base.path} v${base.version}`;
    const said = comments === null ? '' : ` ${comments.count} comments`;
    return `${last === null ? 'as it was' : kind} ${path}${origin === null || origin === path ? '' : ` from ${origin}`}${before}${said}`;
  });
}

const move = (from: string, to: string, own = false): readonly Told[] => [
  { op: 'delete', path: from, version: 3, own },
  { op: 'move', path: to, from, own },
];

test('a file is told once, with what it was before all that happened to it', () => {
  assert.deepEqual(fold({ op: 'write', path: 'a', version: 4 }, { op: 'write', path: 'a', version: 5 }), [
    'changed a before a v3',
  ]);
  assert.deepEqual(fold({ op: 'write', path: 'a' }, { op: 'write', path: 'a', version: 2 }), ['new a']);
  assert.deepEqual(fold({ op: 'conflict', path: 'copy', of: 'a' }), ['conflict copy']);
});

test('a moved file is followed, over several moves and back', () => {
  assert.deepEqual(fold(...move('a', 'b')), ['moved b from a before a v3']);
  assert.deepEqual(fold({ op: 'write', path: 'a', version: 3 }, ...move('a', 'b'), ...move('b', 'c')), [
    'moved c from a before a v2',
  ]);
  assert.deepEqual(fold(...move('a', 'b'), ...move('b', 'a')), ['changed a before a v3']);
  assert.deepEqual(fold({ op: 'write', path: 'a' }, ...move('a', 'b')), ['new b']);
  assert.deepEqual(fold(...move('a', 'b'), { op: 'write', path: 'a' }), [
    'moved b from a before a v3',
    'new a',
  ]);
});

test('what comes from where nothing is seen is new, and its old path is not named', () => {
  assert.deepEqual(fold({ op: 'move', path: 'b', from: 'hidden' }), ['new b']);
  assert.deepEqual(fold({ op: 'access_granted', path: 'a' }, { op: 'write', path: 'a', version: 7 }), [
    'shared a',
  ]);
  assert.deepEqual(fold({ op: 'access_revoked', path: 'a' }), []);
});

test('what came and went is not named, and a file that is made again is the same file', () => {
  assert.deepEqual(fold({ op: 'write', path: 'a' }, { op: 'delete', path: 'a' }), []);
  assert.deepEqual(fold(...move('a', 'b'), { op: 'delete', path: 'b' }), ['deleted a before a v3']);
  assert.deepEqual(fold({ op: 'delete', path: 'a', version: 3 }, { op: 'write', path: 'a' }), [
    'changed a before a v3',
  ]);
});

test('own changes are told to nobody, and still move and delete', () => {
  const others: Told = { op: 'write', path: 'a', version: 3 };
  assert.deepEqual(fold({ op: 'write', path: 'a', own: true }), []);
  assert.deepEqual(fold(...move('a', 'b', true)), []);
  assert.deepEqual(fold(others, ...move('a', 'b', true)), ['changed b from a before a v2']);
  assert.deepEqual(fold(others, { op: 'delete', path: 'a', version: 3, own: true }), []);
});

test('comments of others are counted, go with their file, and wait unseen for one that is gone', () => {
  const said: Told = { op: 'comment_created', path: 'a' };
  const replied: Told = { op: 'comment_replied', path: 'a' };
  assert.deepEqual(fold(said, replied, { ...replied, own: true }), ['as it was a 2 comments']);
  assert.deepEqual(fold({ ...said, op: 'comment_resolved' }), ['as it was a 0 comments']);
  assert.deepEqual(fold(said, ...move('a', 'b', true)), ['as it was b from a before a v3 1 comments']);
  assert.deepEqual(fold(said, { op: 'delete', path: 'a', version: 3, own: true }), []);
});
