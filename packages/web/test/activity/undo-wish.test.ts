import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFields, localText, mayUndo, placesAround, undoWish } from '../../src/activity/undo-wish.ts';

const from = {
  actor: { actorId: 'ada', actorKeyId: 'key1' },
  since: '2026-11-20T14:00:05.678Z',
  path: 'notes/week/plan.md',
  isOnlyThere: false,
};

test('what was not changed in the fields is the moment of the change itself, everywhere and up to now', () => {
  assert.deepEqual(undoWish(from, firstFields(from)), {
    kind: 'wish',
    wish: { actorKeyId: 'key1', since: from.since },
  });
  const own = { ...from, actor: { actorId: 'ada', actorKeyId: null }, isOnlyThere: true };
  assert.deepEqual(undoWish(own, firstFields(own)), {
    kind: 'wish',
    wish: { actorId: 'ada', since: from.since, path: from.path },
  });
});

test('an end has all of its second, and stands behind the beginning', () => {
  const second = localText(from.since);
  const wished = undoWish(from, { since: second, until: second, where: 'notes' });
  assert.deepEqual(wished, {
    kind: 'wish',
    wish: { actorKeyId: 'key1', since: from.since, until: '2026-11-20T14:00:05.999Z', path: 'notes' },
  });
  const earlier = localText('2026-11-20T13:00:00Z');
  assert.equal(undoWish(from, { since: second, until: earlier, where: '' }).kind, 'ends_before');
  assert.equal(undoWish(from, { since: '', until: '', where: '' }).kind, 'no_since');
  const begun = undoWish(from, { since: earlier, until: '', where: '' });
  assert.ok(begun.kind === 'wish' && begun.wish.since === '2026-11-20T13:00:00.000Z');
});

test('undone is everywhere, in a folder around the file, or in the file', () => {
  assert.deepEqual(placesAround(from.path), ['', 'notes', 'notes/week', 'notes/week/plan.md']);
});

test('owners and admins undo what anybody did, members what they and their keys did', () => {
  const members = (['owner', 'admin', 'member'] as const).map((role) => ({ id: role, role }));
  const may = (actorId: string, userId: string | null) => mayUndo({ actorId }, userId, members);
  assert.deepEqual(
    ['owner', 'admin', 'member', 'stranger', null].map((userId) => may('member', userId)),
    [true, true, true, false, false],
  );
  assert.equal(may('owner', 'member'), false);
  assert.equal(may('gone', 'admin'), true);
});
