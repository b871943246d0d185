import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n\nfour five six\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('16 a foreign save, nothing typed here: applied, and no PUT', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.feed();
  world.advance(60_000);
  assert.deepEqual(ada.applied, [{ text: base.replace('two', 'TWO'), who: 'agent' }]);
  assert.equal(ada.puts.length, 0);
  assert.equal(ada.saveState, 'saved');
  assert.partialDeepStrictEqual(ada.said, [{ kind: 'changed_by', who: 'agent', version: 2 }]);
});

test('17 a foreign save elsewhere in the text, typed here: merged, PUT on the new version', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.feed();
  world.advance(2000);
  const theirs = base.replace('two', 'TWO');
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(2, theirs)],
  );
  assert.equal(world.server.textOf('a.md'), `${theirs}seven\n`);
  assert.deepEqual(world.server.copies, []);
});

test('17b typed during the merge: merged again', () => {
  const world = new World(base);
  const ada = world.open();
  ada.mergesHeld = true;
  ada.type('seven\n');
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.feed();
  ada.type('eight\n');
  ada.mergesHeld = false;
  ada.release();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\neight\n`);
  assert.equal(ada.applied.length, 1);
});

test('18 a foreign save in the same words: conflict, no PUT; five minutes later one copy', () => {
  const world = new World(base);
  const ada = world.open();
  ada.replace('two', 'mine');
  world.server.rewrite('a.md', (text) => text.replace('two', 'theirs'));
  ada.feed();
  world.advance(299_000);
  assert.equal(ada.saveState, 'conflict');
  assert.equal(ada.puts.length, 0);
  world.advance(2000);
  assert.partialDeepStrictEqual(ada.puts, [{ on: on(1, base), rejectStale: false }]);
  assert.equal(world.server.copies.length, 1);
  assert.equal(ada.copyPath, world.server.copies[0]);
  world.advance(3_600_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'conflict');
  assert.equal(world.server.textOf('a.md'), base.replace('two', 'theirs'));
  world.assertNothingLost();
});

test('19 a foreign save during a PUT that wins: read and merged afterwards', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.type('seven\n');
  ada.save();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.feed();
  assert.equal(ada.reads.length, 0);
  ada.release();
  world.advance(60_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.shown, `${base.replace('two', 'TWO')}seven\n`);
  assert.ok(ada.isClean);
});

test('20 a foreign save during a PUT that loses: rejected, read, merged, sent again, no copy', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.type('seven\n');
  ada.save();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.release();
  const theirs = base.replace('two', 'TWO');
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(1, base), on(2, theirs)],
  );
  assert.equal(world.server.textOf('a.md'), `${theirs}seven\n`);
  assert.equal(ada.applied[0]?.who, 'agent');
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.puts.length, 2);
  assert.deepEqual(world.server.copies, []);
});

test('25 two foreign saves while one is read: the newest counts, one merge', () => {
  const world = new World(base);
  const ada = world.open();
  ada.readsHeld = true;
  world.server.rewrite('a.md', (text) => text.replace('one', 'ONE'));
  ada.feed();
  world.server.rewrite('a.md', (text) => text.replace('six', 'SIX'));
  ada.feed();
  ada.readsHeld = false;
  ada.release();
  world.advance(60_000);
  assert.equal(ada.applied.length, 1);
  assert.equal(ada.shown, base.replace('one', 'ONE').replace('six', 'SIX'));
});

test('26 a foreign save with the same bytes as mine: clean, without a PUT', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.rewrite('a.md', (text) => `${text}seven\n`);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.puts.length, 0);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.drafts.size, 0);
});

test('53 a restore by another user is applied like a save', () => {
  const world = new World(base);
  world.server.rewrite('a.md', (text) => `${text}later\n`);
  const ada = world.open();
  world.server.restore('a.md', 1);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.shown, base);
  assert.equal(ada.puts.length, 0);
});

test('54 asleep for a day, then typed at once: rejected, merged, saved, no copy', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  world.nowMs += 86_400_000;
  ada.type('seven\n');
  world.advance(2000);
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\n`);
  assert.deepEqual(world.server.copies, []);
});

test('56 an agent writes faster than the engine can merge: pauses, no copy, saved when it stops', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.fates = Array(8).fill('raced');
  world.advance(10_000);
  assert.equal(ada.puts.length, 5);
  assert.equal(ada.saveState, 'not_saved_yet');
  world.advance(600_000);
  const times = ada.puts.map(({ atMs }) => atMs);
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  assert.deepEqual(pauses, [0, 0, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  assert.equal(ada.saveState, 'saved');
  assert.deepEqual(world.server.copies, []);
  world.assertNothingLost();
});
