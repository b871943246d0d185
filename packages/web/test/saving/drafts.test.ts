import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n\nfour five six\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('a draft is stored 300 ms after an edit, and every second during typing', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('a');
  world.advance(299);
  assert.equal(world.drafts.size, 0);
  world.advance(1);
  assert.equal(world.drafts.size, 1);
  for (let i = 0; i < 11; i += 1) {
    ada.type('b');
    world.advance(100);
  }
  const [draft] = world.drafts.values();
  assert.ok((draft?.doc.length ?? 0) > base.length + 5, 'nothing was stored while typing');
});

test('44 killed between a PUT that landed and its response: the draft is deleted', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.type('seven\n');
  ada.save();
  ada.kill();
  const again = world.open();
  assert.equal(again.isBack, false);
  world.advance(60_000);
  assert.equal(again.puts.length, 0);
  assert.equal(world.drafts.size, 0);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
});

test('44b killed with newer text after a PUT that landed: only the newer text is sent', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.replace('two', 'mine');
  ada.save();
  ada.replace('mine', 'mine again');
  world.advance(1000);
  ada.typed.delete('mine');
  ada.kill();
  const again = world.open();
  assert.equal(again.isBack, true);
  world.advance(60_000);
  assert.deepEqual(
    again.puts.map((put) => put.on),
    [on(2, base.replace('two', 'mine'))],
  );
  assert.equal(world.server.textOf('a.md'), base.replace('two', 'mine again'));
  assert.deepEqual(world.server.copies, []);
});

test('44c killed after a PUT that landed, and others edited the same words on top: no conflict', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.replace('two', 'mine');
  ada.save();
  ada.kill();
  world.server.rewrite('a.md', (text) => text.replace('mine', 'mine and theirs'));
  const again = world.open();
  world.advance(60_000);
  assert.deepEqual([again.isBack, again.saveState, again.puts], [false, 'saved', []]);
  assert.equal(again.shown, base.replace('two', 'mine and theirs'));
  assert.equal(world.drafts.size, 0);
});

test('44d the same with newer text: it is merged with theirs and sent', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.replace('two', 'mine');
  ada.save();
  ada.type('seven\n');
  world.advance(1000);
  ada.kill();
  const theirs = base.replace('two', 'mine and theirs');
  world.server.rewrite('a.md', () => theirs);
  const again = world.open();
  world.advance(60_000);
  assert.equal(again.isBack, true);
  assert.deepEqual(
    again.puts.map((put) => put.on),
    [on(3, theirs)],
  );
  assert.equal(world.server.textOf('a.md'), `${theirs}seven\n`);
  assert.deepEqual(world.server.copies, []);
});

test('45 killed between a PUT that did not land and its response: the text is restored and sent', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.type('seven\n');
  ada.save();
  ada.kill();
  const again = world.open();
  assert.equal(again.isBack, true);
  assert.equal(again.shown, `${base}seven\n`);
  world.advance(60_000);
  assert.deepEqual(
    again.puts.map((put) => put.on),
    [on(1, base)],
  );
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  assert.equal(world.drafts.size, 0);
});

test('46 a draft on an older version without overlap: merged and sent', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.advance(1000);
  ada.kill();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  const again = world.open();
  world.advance(60_000);
  assert.equal(again.shown, `${base.replace('two', 'TWO')}seven\n`);
  assert.deepEqual(
    again.puts.map((put) => put.on),
    [on(2, base.replace('two', 'TWO'))],
  );
  assert.deepEqual(world.server.copies, []);
  world.assertNothingLost();
});

test('47 a draft on an older version with an overlap: a conflict, and nothing is overwritten', () => {
  const world = new World(base);
  const ada = world.open();
  ada.replace('two', 'mine');
  world.advance(1000);
  ada.kill();
  world.server.rewrite('a.md', (text) => text.replace('two', 'theirs'));
  const again = world.open();
  world.advance(60_000);
  assert.equal(again.saveState, 'conflict');
  assert.equal(again.puts.length, 0);
  again.choose({ kind: 'keep_both' });
  assert.equal(world.server.copies.length, 1);
  assert.equal(again.shown, base.replace('two', 'theirs'));
  world.assertNothingLost();
});

test('47b a draft whose version the server no longer has: two texts to compare, no merge', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.advance(1000);
  ada.kill();
  const [[key, draft] = ['', undefined]] = world.drafts;
  assert.ok(draft);
  world.drafts.set(key, { ...draft, baseVersion: 9, baseHash: hashOf('gone') });
  const again = world.open();
  world.advance(60_000);
  assert.equal(again.saveState, 'conflict');
  assert.equal(again.puts.length, 0);
});

test('47c a conflict with its copy is shown again after a reload', () => {
  const world = new World(base);
  const ada = world.open();
  ada.replace('two', 'mine');
  world.server.rewrite('a.md', (text) => text.replace('two', 'theirs'));
  ada.feed();
  ada.leave();
  const [copy] = world.server.copies;
  ada.kill();
  const again = world.open();
  assert.equal(again.saveState, 'conflict');
  assert.equal(again.copyPath, copy);
  again.leave();
  world.advance(3_600_000);
  assert.equal(again.puts.length, 0);
  again.choose({ kind: 'keep_both' });
  assert.equal(world.server.copies.length, 1);
  assert.equal(again.puts.length, 0);
  world.assertNothingLost();
});

test('48 two tabs: the draft of the open one is not taken, and they merge like two users', () => {
  const world = new World(base);
  const first = world.open();
  first.type('seven\n');
  world.advance(500);
  const second = world.open();
  assert.equal(second.isBack, false);
  assert.equal(second.shown, base);
  second.type('zero\n', 'start');
  world.advance(500);
  assert.equal(world.drafts.size, 2);
  world.advance(2000);
  first.feed();
  second.feed();
  world.advance(2000);
  first.feed();
  second.feed();
  assert.equal(world.server.textOf('a.md'), `zero\n${base}seven\n`);
  assert.equal(first.shown, second.shown);
  assert.deepEqual(world.server.copies, []);
  world.assertNothingLost();
});
