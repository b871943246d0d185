import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './desk.ts';
import { hashOf } from './fake-server.ts';

const base = 'one two three\n\nfour five six\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('27 deleted by somebody else, nothing typed: nothing is sent', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.remove('a.md');
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.state.hold?.kind, 'deleted');
  assert.equal(ada.puts.length, 0);
  assert.ok(ada.isClean);
});

test('28 deleted under unsaved text: nothing is sent until it is asked for', () => {
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

test('29 Save it again where somebody made a file meanwhile: merged with that', () => {
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

test('29b made again by somebody else while the deletion is shown: like any foreign save', () => {
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

test('30 a PUT on a file whose deletion was not seen brings it back, and that is said', () => {
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

test('31 moved by somebody else under unsaved text: the text goes to the new path', () => {
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

test('31b a PUT that landed just before the move', () => {
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

test('32 the folder is moved, and the delete and the move come in two pages', () => {
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

test('32b the move comes long after its delete was believed: followed all the same', () => {
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

test('33 deleted and made again: numbers start anew, and the order of the feed decides', () => {
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

test('34 made private by somebody else: nothing is sent any more, the draft stays', () => {
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

test('33b a lost race, and the file is deleted before its answer comes: it is looked for once, not without end', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.fates = ['held_before'];
  ada.save();
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  ada.fates = [];
  const refused = ada.puts.length;
  ada.feed();
  world.server.remove('a.md');
  ada.feed();
  ada.release();
  world.advance(60_000);
  assert.equal(refused, 1);
  assert.ok(ada.reads.length <= 1, `${ada.reads.length} reads`);
  world.assertNothingLost();
});

test('33c deleted and made again with the bytes of an earlier version: shown, not taken for that version', () => {
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
