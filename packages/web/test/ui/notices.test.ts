import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { closeNotice, noticesMax, notify, shownNotices } from '../../src/ui/notices.ts';

beforeEach(() => {
  for (const { id } of shownNotices.get()) closeNotice(id);
});

test('notices with a timeout make room for others, failures never do', () => {
  notify({ text: 'failed', failure: true });
  for (let n = 0; n < noticesMax + 3; n += 1) notify({ text: `done ${n}` });
  const texts = shownNotices.get().map(({ text }) => text);
  assert.equal(texts.length, noticesMax);
  assert.equal(texts[0], 'failed');
  assert.equal(texts.at(-1), `done ${noticesMax + 2}`);
});

test('long work updates its own notice and removes it', () => {
  const work = notify({ text: 'Moving: 1 of 3', stays: true });
  work.change({ text: 'Moving: 2 of 3', stays: true });
  assert.deepEqual(
    shownNotices.get().map(({ text }) => text),
    ['Moving: 2 of 3'],
  );
  work.close();
  assert.deepEqual(shownNotices.get(), []);
});
