import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Desk } from './desk.ts';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n\nfour five six\n';
const theirs = base.replace('two', 'theirs');
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

/** A conflict in which both users changed the same word. */
function inConflict(): { readonly world: World; readonly ada: Desk } {
  const world = new World(base);
  const ada = world.open();
  ada.replace('two', 'mine');
  world.server.rewrite('a.md', () => theirs);
  ada.feed();
  assert.equal(ada.saveState, 'conflict');
  return { world, ada };
}

test('21 a lost race with an overlap: safe once the page is left; Keep both updates the copy', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.replace('two', 'mine');
  ada.save();
  world.server.rewrite('a.md', () => theirs);
  ada.release();
  assert.equal(ada.saveState, 'conflict');
  assert.deepEqual(world.server.copies, []);
  ada.leave();
  const [copy = ''] = world.server.copies;
  assert.equal(world.server.textOf(copy), base.replace('two', 'mine'));
  ada.notify({ kind: 'shown', page: true });
  ada.type('more\n');
  ada.choose({ kind: 'keep_both' });
  assert.equal(world.server.copies.length, 1);
  assert.equal(world.server.textOf(copy), `${base.replace('two', 'mine')}more\n`);
  assert.partialDeepStrictEqual(ada.puts.at(-1), { path: copy, on: on(1, base.replace('two', 'mine')) });
  assert.equal(ada.shown, theirs);
  assert.deepEqual(ada.said.at(-1), { kind: 'kept_as', copyPath: copy });
  world.assertNothingLost();
});

test('22 Keep both at once: one copy, and the other text is shown', () => {
  const { world, ada } = inConflict();
  ada.choose({ kind: 'keep_both' });
  assert.partialDeepStrictEqual(ada.puts, [{ path: 'a.md', on: on(1, base), rejectStale: false }]);
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.shown, theirs);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.drafts.size, 0);
  ada.feed();
  ada.type('after\n');
  world.advance(2000);
  assert.equal(world.server.textOf('a.md'), `${theirs}after\n`);
  world.assertNothingLost();
});

test('22b Keep both with a lost response: the same bytes are sent again and make one copy', () => {
  const { world, ada } = inConflict();
  ada.fates = ['lost_after'];
  ada.choose({ kind: 'keep_both' });
  ada.type('typed on\n');
  world.advance(60_000);
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.shown, theirs);
  world.assertNothingLost();
});

test('22c a lost PUT of newer text to a copy is sent to the copy again, not to the file', () => {
  const { world, ada } = inConflict();
  ada.leave();
  ada.notify({ kind: 'shown', page: true });
  ada.type('more\n');
  ada.fates = ['lost_before'];
  ada.choose({ kind: 'keep_both' });
  world.advance(60_000);
  const [copy = ''] = world.server.copies;
  assert.deepEqual(
    ada.puts.map(({ path }) => path),
    ['a.md', copy, copy],
  );
  assert.equal(world.server.textOf(copy), `${base.replace('two', 'mine')}more\n`);
  assert.equal(world.server.textOf('a.md'), theirs);
});

test('23 the merged text is saved while a newer version arrives: no stale text is sent', () => {
  const { world, ada } = inConflict();
  const { left } = ada;
  world.server.rewrite('a.md', (text) => text.replace('five', 'FIVE'));
  ada.feed();
  ada.choose({ kind: 'merged', doc: base.replace('two', 'both'), left });
  ada.typed.delete(base.replace('two', 'both'));
  assert.equal(ada.puts.length, 0);
  assert.partialDeepStrictEqual(ada.said.at(-1), { kind: 'moved_on', version: 3 });
  const merged = theirs.replace('theirs', 'both').replace('five', 'FIVE');
  ada.choose({ kind: 'merged', doc: merged, left: ada.left });
  assert.equal(world.server.textOf('a.md'), merged);
  assert.partialDeepStrictEqual(ada.said.at(-1), { kind: 'merged_saved', version: 4, copy: null });
  assert.equal(ada.saveState, 'saved');
  assert.deepEqual(world.server.copies, []);
});

test('23b a newer version that the feed had not reported: the PUT is rejected, and it is shown', () => {
  const { world, ada } = inConflict();
  const merged = base.replace('two', 'both');
  world.server.rewrite('a.md', (text) => text.replace('theirs', 'theirs2'));
  ada.choose({ kind: 'merged', doc: merged, left: ada.left });
  assert.partialDeepStrictEqual(ada.said.at(-1), { kind: 'moved_on', version: 3 });
  assert.equal(ada.left.version, 3);
  assert.equal(ada.saveState, 'conflict');
  assert.equal(ada.shown, merged);
  ada.typed.delete('mine');
  world.assertNothingLost();
});

test('24 Replace with mine is rejected by a newer version: a conflict with that one, chosen again', () => {
  const { world, ada } = inConflict();
  world.server.rewrite('a.md', (text) => text.replace('theirs', 'theirs2'));
  ada.choose({ kind: 'replace' });
  assert.equal(ada.saveState, 'conflict');
  assert.equal(ada.left.version, 3);
  assert.partialDeepStrictEqual(ada.said.at(-1), { kind: 'moved_on', version: 3 });
  ada.choose({ kind: 'replace' });
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(2, theirs), on(3, theirs.replace('theirs', 'theirs2'))],
  );
  assert.equal(world.server.textOf('a.md'), base.replace('two', 'mine'));
  assert.partialDeepStrictEqual(ada.said.at(-1), { kind: 'replaced', version: 4 });
  assert.ok(world.server.versions('a.md').some(({ hash }) => hash === hashOf(theirs)));
  assert.deepEqual(world.server.copies, []);
});

test('24b Replace with mine with a lost response: sent again once, on the version that was shown', () => {
  const { world, ada } = inConflict();
  ada.fates = ['lost_before'];
  ada.choose({ kind: 'replace' });
  world.advance(60_000);
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(2, theirs), on(2, theirs)],
  );
  assert.equal(world.server.textOf('a.md'), base.replace('two', 'mine'));
  assert.equal(ada.saveState, 'saved');
});

test('24c a text in conflict that the user edits to equal theirs leaves no choice', () => {
  const { world, ada } = inConflict();
  ada.leave();
  ada.notify({ kind: 'shown', page: true });
  assert.equal(world.server.copies.length, 1);
  ada.typed.clear();
  ada.write(theirs);
  assert.deepEqual([ada.state.hold, ada.saveState], [null, 'saved']);
  world.advance(600_000);
  assert.equal(world.drafts.size, 0);
  ada.type('after\n');
  world.advance(2000);
  assert.equal(world.server.textOf('a.md'), `${theirs}after\n`);
  assert.equal(ada.puts.length, 2);
});

test('50 hidden during a conflict: no copy; left during it twice: one copy', () => {
  const { world, ada } = inConflict();
  ada.notify({ kind: 'hidden' });
  world.advance(10_000);
  assert.deepEqual(world.server.copies, []);
  ada.notify({ kind: 'shown', page: false });
  ada.leave();
  ada.notify({ kind: 'shown', page: true });
  ada.leave();
  world.advance(3_600_000);
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'conflict');
});

test('50b closed during a conflict: one copy, however often, and the bar names it when the page is back', () => {
  const { world, ada } = inConflict();
  ada.notify({ kind: 'closed' });
  assert.partialDeepStrictEqual(ada.puts, [{ keepalive: true, rejectStale: false }]);
  ada.notify({ kind: 'hidden' });
  ada.notify({ kind: 'shown', page: false });
  ada.notify({ kind: 'closed' });
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.copyPath, world.server.copies[0]);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'conflict');
});

test('51 the draft store fails: the server keeps the text of a lost race in a copy', () => {
  const world = new World(base);
  world.draftsFail = true;
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.replace('two', 'mine');
  world.advance(1000);
  assert.equal(ada.saveState, 'not_kept');
  ada.save();
  assert.equal(ada.puts[0]?.rejectStale, false);
  world.server.rewrite('a.md', () => theirs);
  ada.release();
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.copyPath, world.server.copies[0]);
  world.advance(3_600_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.left.version, 2);
  world.assertNothingLost();
});

test('51b a draft store that hangs delays a PUT by two seconds, then the server keeps a losing text', () => {
  const world = new World(base);
  const ada = world.open();
  ada.draftsHeld = true;
  ada.type('seven\n');
  ada.save();
  assert.equal(ada.puts.length, 0);
  world.advance(2000);
  assert.partialDeepStrictEqual(ada.puts, [{ rejectStale: false }]);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
});

test('51c the draft store fails, and others saved the same words: the server keeps the text in a copy at once', () => {
  for (const failsFirst of [true, false]) {
    const world = new World(base);
    world.draftsFail = failsFirst;
    const ada = world.open();
    ada.replace('two', 'mine');
    if (failsFirst) world.advance(1000);
    world.server.rewrite('a.md', () => theirs);
    ada.feed();
    world.draftsFail = true;
    world.advance(1000);
    const [copy = ''] = world.server.copies;
    assert.equal(world.server.textOf(copy), base.replace('two', 'mine'));
    ada.type('more\n');
    world.advance(20_000);
    assert.deepEqual(world.server.copies, [copy]);
    world.assertNothingLost();
  }
});

test('a copy for which there is no space: the reason is announced once, and the text stays', () => {
  const { world, ada } = inConflict();
  world.server.isFull = true;
  ada.choose({ kind: 'keep_both' });
  world.advance(3_600_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'refused: full');
  world.server.isFull = false;
  ada.choose({ kind: 'keep_both' });
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.shown, theirs);
  world.assertNothingLost();
});

test('in a conflict, another user restores the common base: it is shown as theirs', () => {
  const { world, ada } = inConflict();
  world.server.restore('a.md', 1);
  ada.feed();
  ada.choose({ kind: 'keep_both' });
  assert.equal(ada.shown, base);
  world.assertNothingLost();
});
