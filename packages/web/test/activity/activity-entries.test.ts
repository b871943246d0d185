import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeRecord } from '@stoa/contract';
import { activityEntries, byDay } from '../../src/activity/activity-entries.ts';

const start = Date.parse('2026-11-20T10:00:00Z');

/** Creates a change at `minutes` after the start; `seq` is its order. */
function change(
  seq: number,
  op: ChangeRecord['op'],
  path: string,
  fields: Partial<ChangeRecord> & { readonly minute?: number } = {},
): ChangeRecord {
  const { minute = seq, ...rest } = fields;
  return {
    id: `c${seq}`,
    workspaceId: 'w',
    seq,
    path,
    op,
    version: 2,
    principal: 'human',
    actorId: 'ada',
    actorKeyId: null,
    actorLabel: null,
    contentHash: null,
    createdAt: new Date(start + minute * 60_000).toISOString(),
    ...rest,
  };
}

const agent = { principal: 'agent', actorKeyId: 'key1', actorLabel: 'Claude' } as const;

test('the first write is shown as created, later ones as saved, newest first', () => {
  const entries = activityEntries([change(1, 'write', 'a.md', { version: 1 }), change(2, 'write', 'b.md')]);
  assert.deepEqual(
    entries.map(({ path, what }) => [path, what]),
    [
      ['b.md', { kind: 'saved', firstVersion: 2, lastVersion: 2 }],
      ['a.md', { kind: 'created' }],
    ],
  );
});

test('saves by one credential within ten minutes are one entry, across changes of other files', () => {
  const entries = activityEntries([
    change(1, 'write', 'a.md', { version: 2, minute: 0 }),
    change(2, 'write', 'b.md', { minute: 3 }),
    change(3, 'write', 'a.md', { version: 3, minute: 4 }),
    change(4, 'write', 'a.md', { version: 4, minute: 9 }),
  ]);
  assert.deepEqual(
    entries.map(({ seq, path, what }) => [seq, path, what]),
    [
      [4, 'a.md', { kind: 'saved', firstVersion: 2, lastVersion: 4 }],
      [2, 'b.md', { kind: 'saved', firstVersion: 2, lastVersion: 2 }],
    ],
  );
});

test('saves are separate after ten minutes, by another key or after another change of the file', () => {
  const saves = (...changes: ChangeRecord[]) =>
    activityEntries(changes).filter(({ what }) => what.kind === 'saved').length;
  const first = change(1, 'write', 'a.md', { minute: 0 });
  assert.equal(saves(first, change(2, 'write', 'a.md', { version: 3, minute: 10 })), 1);
  assert.equal(saves(first, change(2, 'write', 'a.md', { version: 3, minute: 11 })), 2);
  assert.equal(saves(first, change(2, 'write', 'a.md', { version: 3, ...agent })), 2);
  const after = change(3, 'write', 'a.md', { version: 4 });
  assert.equal(saves(first, change(2, 'restore', 'a.md', { version: 3 }), after), 2);
  assert.equal(saves(first, change(2, 'comment_created', 'a.md'), after), 1);
});

test('a move is one entry, and another delete next to it is a separate entry', () => {
  const moved = [
    change(1, 'delete', 'old.md'),
    change(2, 'move', 'new.md', { version: 1, movedFrom: 'old.md' }),
  ];
  assert.deepEqual(
    activityEntries([change(3, 'delete', 'other.md'), ...moved]).map(({ path, what }) => [path, what]),
    [
      ['other.md', { kind: 'deleted' }],
      ['new.md', { kind: 'moved', from: 'old.md' }],
    ],
  );
});

test('agents, users and comments are distinguished, and a repeated change is shown once', () => {
  const changes = [
    change(1, 'write', 'a.md'),
    change(2, 'write', 'b.md', agent),
    change(3, 'comment_replied', 'a.md', agent),
    change(3, 'comment_replied', 'a.md', agent),
  ];
  const seqs = (options: Parameters<typeof activityEntries>[1]) =>
    activityEntries(changes, options).map(({ seq }) => seq);
  assert.deepEqual(seqs({}), [3, 2, 1]);
  assert.deepEqual(seqs({ who: 'agents' }), [3, 2]);
  assert.deepEqual(seqs({ who: 'people' }), [1]);
  assert.deepEqual(seqs({ comments: false }), [2, 1]);
});

test('every operation has its text', () => {
  const kinds = activityEntries([
    change(1, 'restore', 'a', { version: 5 }),
    change(2, 'conflict', 'a (conflicted copy)', { conflictOf: 'a' }),
    change(3, 'access_revoked', 'b', { version: null }),
    change(4, 'access_granted', 'b', { version: null }),
    change(5, 'comment_created', 'c'),
    change(6, 'comment_resolved', 'c'),
    change(7, 'comment_reopened', 'c'),
  ]).map(({ what }) => what);
  assert.deepEqual(kinds, [
    { kind: 'reopened' },
    { kind: 'resolved' },
    { kind: 'commented' },
    { kind: 'made_visible' },
    { kind: 'made_private' },
    { kind: 'conflict', original: 'a' },
    { kind: 'restored', version: 5 },
  ]);
});

test('entries are grouped by day', () => {
  const entries = activityEntries([
    change(1, 'write', 'a', { minute: 0 }),
    change(2, 'write', 'b', { minute: 60 * 15 }),
    change(3, 'write', 'c', { minute: 60 * 16 }),
  ]);
  const days = byDay(entries, (time) => time.toISOString().slice(0, 10));
  assert.deepEqual(
    days.map(({ day, entries }) => [day, entries.map(({ path }) => path)]),
    [
      ['2026-11-21', ['c', 'b']],
      ['2026-11-20', ['a']],
    ],
  );
});

test('a `.keep` file is never shown but represents its folder', () => {
  const shown = (changes: readonly ChangeRecord[]) =>
    activityEntries(changes).map(({ path, file, what }) => [what.kind, path, file]);
  assert.deepEqual(shown([change(1, 'write', 'notes/.keep', { version: 1 })]), [
    ['created', 'notes', 'notes/.keep'],
  ]);
  assert.deepEqual(shown([change(1, 'delete', 'notes/.keep')]), [['deleted', 'notes', 'notes/.keep']]);
  const moved = change(2, 'move', 'b/notes/.keep', { movedFrom: 'a/notes/.keep' });
  assert.deepEqual(
    activityEntries([change(1, 'delete', 'a/notes/.keep'), moved]).map(({ path, what }) => [path, what]),
    [['b/notes', { kind: 'moved', from: 'a/notes' }]],
  );
  // The app wrote, deleted and saved these placeholders itself. They are not actions of a user.
  assert.deepEqual(
    shown([change(1, 'write', 'notes/.keep', { version: 1 }), change(2, 'delete', 'notes/last.md')]),
    [['deleted', 'notes/last.md', 'notes/last.md']],
  );
  assert.deepEqual(shown([change(1, 'delete', 'notes/.keep'), change(2, 'delete', 'notes/a.md')]), [
    ['deleted', 'notes/a.md', 'notes/a.md'],
  ]);
  assert.deepEqual(
    shown([change(1, 'write', 'notes/.keep'), change(2, 'write', '.keep', { version: 1 })]),
    [],
  );
});
