import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeOp, parseWorkspacePath } from '@stoa/core';
import { FoldedChanges, type FoldedFile } from '../../src/service/feed/fold-changes.ts';

interface Reported {
  readonly op: ChangeOp;
  readonly path: string;
  readonly version?: number;
  readonly from?: string;
  readonly of?: string;
  /** By the caller's own key. */
  readonly own?: boolean;
  /** The key that did it. */
  readonly by?: string;
}

/** The fold of these changes, one text for each file: kind, path, where it was, comments. */
function fold(...reported: readonly Reported[]): readonly string[] {
  return folded(...reported).map(({ kind, path, origin, base, authors, comments }) => {
    const before = base === null ? '' : ` before ${base.path} v${base.version}`;
    const said = comments === null ? '' : ` ${comments.count} comments`;
    return `${authors.length === 0 ? 'as it was' : kind} ${path}${origin === null || origin === path ? '' : ` from ${origin}`}${before}${said}`;
  });
}

function folded(...reported: readonly Reported[]): readonly FoldedFile[] {
  const changes = new FoldedChanges(({ actorKeyId }) => actorKeyId === 'own');
  reported.forEach(({ op, path, version = 1, from, of, own, by = 'other' }, index) => {
    changes.add({
      workspaceId: 'ws',
      seq: index + 1,
      path: parseWorkspacePath(path),
      op,
      version,
      contentHash: null,
      createdAt: index,
      principal: 'agent',
      actorId: 'ada',
      actorKeyId: own === true ? 'own' : by,
      actorLabel: null,
      movedFrom: from === undefined ? null : parseWorkspacePath(from),
      conflictOf: of === undefined ? null : parseWorkspacePath(of),
      conflictBase: null,
      onlyUserId: null,
      exceptUserId: null,
    });
  });
  return changes.files();
}

const move = (from: string, to: string, own = false): readonly Reported[] => [
  { op: 'delete', path: from, version: 3, own },
  { op: 'move', path: to, from, own },
];

test('a file is listed once, with its state before all changes', () => {
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

test('a file from a hidden path is new, and its old path is not named', () => {
  assert.deepEqual(fold({ op: 'move', path: 'b', from: 'hidden' }), ['new b']);
  assert.deepEqual(fold({ op: 'access_granted', path: 'a' }, { op: 'write', path: 'a', version: 7 }), [
    'shared a',
  ]);
  assert.deepEqual(fold({ op: 'access_revoked', path: 'a' }), ['hidden a']);
  assert.deepEqual(fold({ op: 'access_revoked', path: 'a', own: true }), []);
});

test('a file that came and went is not listed, and a file that is made again is the same file', () => {
  assert.deepEqual(fold({ op: 'write', path: 'a' }, { op: 'delete', path: 'a' }), []);
  assert.deepEqual(fold(...move('a', 'b'), { op: 'delete', path: 'b' }), ['deleted a before a v3']);
  assert.deepEqual(fold({ op: 'delete', path: 'a', version: 3 }, { op: 'write', path: 'a' }), [
    'changed a before a v3',
  ]);
});

test('own changes are not listed, and still move and delete', () => {
  const others: Reported = { op: 'write', path: 'a', version: 3 };
  assert.deepEqual(fold({ op: 'write', path: 'a', own: true }), []);
  assert.deepEqual(fold(...move('a', 'b', true)), []);
  assert.deepEqual(fold(others, ...move('a', 'b', true)), ['changed b from a before a v2']);
  assert.deepEqual(fold(others, { op: 'delete', path: 'a', version: 3, own: true }), []);
});

test('comments of others are counted, go with their file, and wait unseen for one that is gone', () => {
  const said: Reported = { op: 'comment_created', path: 'a' };
  const replied: Reported = { op: 'comment_replied', path: 'a' };
  assert.deepEqual(fold(said, replied, { ...replied, own: true }), ['as it was a 2 comments']);
  assert.deepEqual(fold({ ...said, op: 'comment_resolved' }), ['as it was a 0 comments']);
  assert.deepEqual(fold(said, ...move('a', 'b', true)), ['as it was b from a before a v3 1 comments']);
  assert.deepEqual(fold(said, { op: 'delete', path: 'a', version: 3, own: true }), []);
});

test('every author of a file is known, with what they did', () => {
  const reported = folded(
    { op: 'write', path: 'a', version: 3, by: 'codex' },
    { op: 'write', path: 'a', version: 4, by: 'ada' },
    { op: 'write', path: 'a', version: 5, by: 'codex' },
    { op: 'delete', path: 'a', version: 5, by: 'grace' },
    { op: 'move', path: 'b', from: 'a', by: 'grace' },
    { op: 'write', path: 'b', version: 2, own: true },
    { op: 'write', path: 'gone', version: 7, by: 'codex' },
    { op: 'delete', path: 'gone', version: 7, by: 'ada' },
  );
  const authors = reported.map(({ kind, path, authors: all }) => [
    `${kind} ${path}`,
    ...all.map(({ actorKeyId, versions, acts }) => [actorKeyId, versions?.first, versions?.last, ...acts]),
  ]);
  assert.deepEqual(authors, [
    ['moved b', ['ada', 4, 4], ['codex', 3, 5], ['grace', undefined, undefined, 'moved']],
    ['deleted gone', ['codex', 7, 7], ['ada', undefined, undefined, 'deleted']],
  ]);
});

test('a deleted file stays news when another one takes its path', () => {
  assert.deepEqual(fold({ op: 'delete', path: 'b', version: 2 }, ...move('a', 'b')), [
    'deleted b before b v2',
    'moved b from a before a v3',
  ]);
});
