import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firstFields,
  localText,
  locationsAround,
  mayUndo,
  undoOptions,
} from '../../src/activity/undo-options.ts';

const from = {
  actor: { actorId: 'ada', actorKeyId: 'key1' },
  since: '2026-11-20T14:00:05.678Z',
  path: 'notes/week/plan.md',
  isOnlyThere: false,
};

test('unchanged fields mean the time of the change, everywhere and up to now', () => {
  assert.deepEqual(undoOptions(from, firstFields(from)), {
    kind: 'options',
    options: { actorKeyId: 'key1', since: from.since },
  });
  const own = { ...from, actor: { actorId: 'ada', actorKeyId: null }, isOnlyThere: true };
  assert.deepEqual(undoOptions(own, firstFields(own)), {
    kind: 'options',
    options: { actorId: 'ada', since: from.since, path: from.path },
  });
});

test('the end includes its whole second and comes after the start', () => {
  const second = localText(from.since);
  const requested = undoOptions(from, { since: second, until: second, where: 'notes' });
  assert.deepEqual(requested, {
    kind: 'options',
    options: { actorKeyId: 'key1', since: from.since, until: '2026-11-20T14:00:05.999Z', path: 'notes' },
  });
  const earlier = localText('2026-11-20T13:00:00Z');
  assert.equal(undoOptions(from, { since: second, until: earlier, where: '' }).kind, 'ends_before');
  assert.equal(undoOptions(from, { since: '', until: '', where: '' }).kind, 'no_since');
  const begun = undoOptions(from, { since: earlier, until: '', where: '' });
  assert.ok(begun.kind === 'options' && begun.options.since === '2026-11-20T13:00:00.000Z');
});

test('the scope is everywhere, a folder above the file, or the file', () => {
  assert.deepEqual(locationsAround(from.path), ['', 'notes', 'notes/week', 'notes/week/plan.md']);
});

test('owners and admins undo all changes, members those of their own and of their keys', () => {
  const members = (['owner', 'admin', 'member'] as const).map((role) => ({ id: role, role }));
  const may = (actorId: string, userId: string | null) => mayUndo({ actorId }, userId, members);
  assert.deepEqual(
    ['owner', 'admin', 'member', 'stranger', null].map((userId) => may('member', userId)),
    [true, true, true, false, false],
  );
  assert.equal(may('owner', 'member'), false);
  assert.equal(may('gone', 'admin'), true);
});
