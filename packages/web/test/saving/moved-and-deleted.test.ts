import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n\nfour five six\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('27 deleted by another user, nothing typed: the engine does not send', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.remove('a.md');
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.state.hold?.kind, 'deleted');
  assert.equal(ada.puts.length, 0);
  assert.ok(ada.isClean);
});

test('28 deleted under unsaved text: the engine does not send it until the user asks for it', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.saveState, 'deleted');
  assert.equal(ada.puts.length, 0);
  world.assertNothingLost();
  ada.choose({ kind: 'save_again' });
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    ['none'],
  );
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  assert.equal(ada.saveState, 'saved');
  ada.feed();
  ada.type('eight\n');
  world.advance(2000);
  assert.equal(ada.puts.at(-1)?.on, on(1, `${base}seven\n`));
});

test('28b Save it again in a full workspace: the file stays deleted and is saved when there is space', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  world.server.isFull = true;
  ada.choose({ kind: 'save_again' });
  assert.equal(ada.saveState, 'refused: full');
  ada.write(base);
  assert.equal(ada.saveState, 'gone');
  ada.type('eight\n');
  world.advance(100_000);
  assert.equal(ada.saveState, 'refused: full');
  assert.ok(ada.puts.length <= 3, `${ada.puts.length} PUTs`);
  world.server.isFull = false;
  world.advance(100_000);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.server.textOf('a.md'), `${base}eight\n`);
});

test('29 Save it again where another user made a file: the text is merged with that file', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  world.server.put('a.md', base.replace('two', 'TWO'), { kind: 'none' });
  ada.choose({ kind: 'save_again' });
  world.advance(60_000);
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    ['none', on(1, base.replace('two', 'TWO'))],
  );
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\n`);
  assert.deepEqual(world.server.copies, []);
});

test('29b made again by another user while the deletion is shown: merged like any foreign save', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  world.server.put('a.md', base.replace('two', 'TWO'), { kind: 'none' });
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\n`);
  assert.equal(ada.saveState, 'saved');
});

test('30 a PUT on a file whose deletion was not seen restores it, and the user is notified', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.save();
  ada.feed();
  world.advance(60_000);
  assert.deepEqual(
    ada.said.filter(({ kind }) => kind !== 'saved'),
    [{ kind: 'brought_back', path: 'a.md' }],
  );
  assert.equal(ada.saveState, 'saved');
  ada.type('eight\n');
  world.advance(2000);
  assert.equal(ada.puts.at(-1)?.on, on(1, `${base}seven\n`));
  assert.deepEqual(world.server.copies, []);
});

test('30b restored unseen and deleted again before the response: the file is deleted', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.remove('a.md');
  ada.type('seven\n');
  ada.fates = ['held_after'];
  world.advance(5000);
  world.server.remove('a.md');
  ada.feed();
  ada.release();
  world.advance(5000);
  assert.equal(ada.state.hold?.kind, 'deleted');
  assert.equal(ada.saveState, 'gone');
  assert.deepEqual(world.server.paths, []);
});

test('30c saved, deleted and made again before the response: shows the server’s text', () => {
  const world = new World(base);
  const ada = world.open();
  ada.write(`${base}seven\n`);
  ada.fates = ['held_after'];
  world.advance(5000);
  world.server.remove('a.md');
  world.server.put('a.md', base, { kind: 'none' });
  ada.feed();
  ada.release();
  world.advance(5000);
  assert.equal(ada.shown, base);
  assert.equal(ada.saveState, 'saved');
});

test('31 moved by another user under unsaved text: the text goes to the new path', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.advance(1000);
  world.server.move('a.md', 'b/c.md');
  ada.feed();
  world.advance(60_000);
  assert.partialDeepStrictEqual(ada.puts, [{ path: 'b/c.md', on: on(1, base) }]);
  assert.deepEqual(world.server.paths, ['b/c.md']);
  assert.equal(world.server.textOf('b/c.md'), `${base}seven\n`);
  assert.deepEqual(ada.said[0], { kind: 'moved', from: 'a.md', to: 'b/c.md', who: 'agent' });
  assert.equal(world.drafts.size, 0);
});

test('31b a PUT that landed just before the move: later text goes to the new path', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.type('seven\n');
  ada.save();
  world.server.move('a.md', 'b.md');
  ada.feed();
  ada.release();
  ada.type('eight\n');
  world.advance(60_000);
  assert.deepEqual(world.server.paths, ['b.md']);
  assert.equal(world.server.textOf('b.md'), `${base}seven\neight\n`);
  assert.deepEqual(world.server.copies, []);
});

test('31c moved unseen and made again by a save: the editor stays with the text that it saved', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.move('a.md', 'b.md');
  world.advance(5000);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.state.path, 'a.md');
  assert.equal(ada.shown, `${base}seven\n`);
  assert.equal(world.server.textOf('a.md'), ada.shown);
  assert.equal(world.server.textOf('b.md'), base);
});

test('31d a read of the old path that ends after the move does not affect the new path', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.move('a.md', 'b.md');
  ada.type('seven\n');
  ada.fates = ['lost_after'];
  ada.readsHeld = true;
  world.advance(5000);
  assert.deepEqual(ada.reads, ['a.md']);
  ada.feed();
  ada.readsHeld = false;
  ada.release();
  world.advance(60_000);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.server.textOf(ada.state.path), `${base}seven\n`);
});

test('31e a conflict whose file is moved compares with the text at the new path', () => {
  const world = new World(base);
  const ada = world.open();
  const ben = world.open('a.md', 'ben');
  ada.replace('two', 'TWO');
  ben.replace('two', '2');
  ada.save();
  ben.feed();
  assert.equal(ben.saveState, 'conflict');
  world.server.move('a.md', 'b.md');
  world.server.rewrite('b.md', (text) => text.replace('TWO', 'zwei'));
  ben.feed();
  assert.equal(ben.state.path, 'b.md');
  assert.equal(ben.left.hash, hashOf(base.replace('two', 'zwei')));
  ben.choose({ kind: 'keep_both' });
  assert.equal(ben.saveState, 'saved');
  assert.equal(ben.shown, world.server.textOf('b.md'));
  assert.ok(world.keeps('one 2 three'));
});

test('31f a conflict with a file that was made again before its move was reported stays there', () => {
  const world = new World(base);
  const ada = world.open();
  const ben = world.open('a.md', 'ben');
  ada.replace('two', 'TWO');
  ben.replace('two', '2');
  world.server.move('a.md', 'b.md');
  ada.save();
  ben.save();
  assert.equal(ben.saveState, 'conflict');
  ben.feed();
  assert.equal(ben.state.path, 'a.md');
  ben.choose({ kind: 'keep_both' });
  assert.equal(ben.shown, world.server.textOf('a.md'));
});

test('31g moved with a change and changed back: versions of the old path do not count', () => {
  const world = new World(base);
  const ada = world.open();
  const mine = `${base}seven\n`;
  ada.write(mine);
  ada.save();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  world.server.move('a.md', 'b.md');
  ada.feed();
  assert.equal(ada.shown, mine.replace('two', 'TWO'));
  world.server.rewrite('b.md', () => mine);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.shown, mine);
});

test('32 a folder move whose delete and move come in two pages is followed', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.move('a.md', 'b/a.md');
  ada.feedPage(1);
  ada.save();
  assert.equal(ada.puts.length, 0);
  assert.notEqual(ada.state.hold?.kind, 'deleted');
  ada.feed();
  world.advance(60_000);
  assert.deepEqual(world.server.paths, ['b/a.md']);
  assert.equal(world.server.textOf('b/a.md'), `${base}seven\n`);
});

test('32b a move that comes long after its delete was shown is still followed', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.move('a.md', 'b/a.md');
  ada.feedPage(1);
  world.advance(3000);
  assert.equal(ada.saveState, 'deleted');
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('b/a.md'), `${base}seven\n`);
  assert.equal(ada.saveState, 'saved');
});

test('33 deleted and made again: versions start again, and the order of the feed decides', () => {
  const world = new World(base);
  world.server.rewrite('a.md', (text) => `${text}\n`);
  world.server.rewrite('a.md', () => base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  world.server.put('a.md', base.replace('two', 'TWO'), { kind: 'none' });
  ada.feed();
  world.advance(60_000);
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(1, base.replace('two', 'TWO'))],
  );
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\n`);
  assert.deepEqual(world.server.copies, []);
});

test('33d deleted and made again with the old text during a merge: shows the server’s text', () => {
  const world = new World(base);
  const ada = world.open();
  ada.mergesHeld = true;
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.feed();
  world.server.remove('a.md');
  world.server.put('a.md', base, { kind: 'none' });
  ada.feedPage(1);
  ada.mergesHeld = false;
  ada.release();
  ada.feed();
  world.advance(5000);
  assert.equal(ada.shown, base);
  assert.equal(ada.saveState, 'saved');
});

test('33e deleted and made again with the old text, then the lost PUT arrives: its version is new', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['late'];
  ada.type('seven\n');
  world.advance(5000);
  ada.feed();
  world.advance(5000);
  assert.equal(ada.puts.length, 2);
  world.server.remove('a.md');
  world.server.put('a.md', base, { kind: 'none' });
  ada.feed();
  assert.equal(ada.shown, base);
  ada.deliverLate();
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  assert.equal(ada.shown, `${base}seven\n`);
});

test('33f undone during its PUT and restored unseen, then the lost PUT arrives: its version is new', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['late', 'held_after'];
  ada.type('seven\n');
  world.advance(2000);
  ada.feed();
  assert.equal(ada.puts.length, 2);
  world.server.remove('a.md');
  ada.write(base);
  ada.release();
  ada.save();
  assert.equal(world.server.textOf('a.md'), base);
  ada.deliverLate();
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  assert.equal(ada.shown, `${base}seven\n`);
});

test('33g a deletion reported after a save on the next file: earlier versions do not count', () => {
  const world = new World(base);
  const ada = world.open();
  const earlier = `${base}seven\n`;
  ada.write(earlier);
  ada.save();
  world.server.remove('a.md');
  world.server.put('a.md', `${earlier}eight\n`, { kind: 'none' });
  ada.write(`${earlier}eight\n`);
  ada.save();
  assert.deepEqual([ada.state.base.version, ada.saveState], [1, 'saved']);
  world.server.rewrite('a.md', () => earlier);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.shown, earlier);
});

test('34 made private by another user: the engine stops sending and keeps the draft', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.advance(1000);
  world.server.revoke('a.md');
  ada.feed();
  world.advance(3_600_000);
  assert.equal(ada.saveState, 'gone');
  assert.equal(ada.puts.length, 0);
  world.assertNothingLost();
});

test('34c shut out right after a word was typed: the device keeps the word', () => {
  const world = new World(base);
  const ada = world.open();
  ada.readsHeld = true;
  world.server.rewrite('a.md', (text) => `${text}theirs\n`);
  ada.feed();
  ada.type('seven\n');
  ada.notify({ kind: 'shut_out' });
  world.assertNothingLost();
  assert.equal(ada.state.reading, null);
});

test('34b a PUT fails because the file is hidden from this user: no other follows, the draft stays', () => {
  const world = new World(base);
  const ada = world.open();
  ada.isShutOut = true;
  ada.type('seven\n');
  ada.save();
  assert.equal(ada.saveState, 'gone');
  ada.isShutOut = false;
  ada.type('eight\n');
  ada.save();
  ada.leave();
  ada.notify({ kind: 'closed' });
  world.advance(3_600_000);
  assert.equal(ada.puts.length, 1);
  assert.deepEqual(ada.reads, []);
  assert.equal(world.server.textOf('a.md'), base);
  world.assertNothingLost();
});

test('33b a lost race, and the file is deleted before the response: it is read once, not in a loop', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.fates = ['held_before'];
  ada.save();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.fates = [];
  const rejected = ada.puts.length;
  ada.feed();
  world.server.remove('a.md');
  ada.feed();
  ada.release();
  world.advance(60_000);
  assert.equal(rejected, 1);
  assert.ok(ada.reads.length <= 1, `${ada.reads.length} reads`);
  world.assertNothingLost();
});

test('33c deleted and made again with the bytes of an earlier version: shown as a new file', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.save();
  ada.feed();
  world.server.remove('a.md');
  ada.feed();
  world.server.put('a.md', base, { kind: 'none' });
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.shown, base);
});

test('29c the response to Save it again is lost and the new file is moved: no second file', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  ada.isSignedOut = true;
  ada.choose({ kind: 'save_again' });
  assert.equal(ada.puts.length, 1);
  world.server.put('a.md', base, { kind: 'none' });
  ada.feed();
  world.server.move('a.md', 'b.md');
  ada.isSignedOut = false;
  ada.notify({ kind: 'signed_in', isSamePerson: true });
  world.advance(500);
  assert.equal(ada.puts.length, 1);
  ada.feed();
  world.advance(10_000);
  assert.deepEqual(world.server.paths, ['b.md']);
  assert.equal(world.server.textOf('b.md'), `${base}seven\n`);
});

test('29d Save it again makes a file after an earlier one was moved: the text goes there as well', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.server.remove('a.md');
  ada.feed();
  world.server.put('a.md', base, { kind: 'none' });
  world.server.move('a.md', 'b.md');
  ada.fates = ['held_after'];
  ada.choose({ kind: 'save_again' });
  ada.feed();
  assert.equal(ada.state.path, 'b.md');
  ada.release();
  world.advance(10_000);
  assert.equal(world.server.textOf('b.md'), `${base}seven\n`);
  assert.equal(ada.saveState, 'saved');
  assert.deepEqual(world.server.copies, []);
});
