import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('1 typing and a pause: one PUT on the version that was read', () => {
  const world = new World();
  const ada = world.open();
  ada.type('hello');
  assert.equal(ada.saveState, 'not_saved_yet');
  world.advance(1999);
  assert.equal(ada.puts.length, 0);
  world.advance(1);
  assert.partialDeepStrictEqual(ada.puts, [{ text: `${base}hello`, on: on(1, base), rejectStale: true }]);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.drafts.size, 0);
  assert.deepEqual(world.server.copies, []);
});

test('2 typing for 25 seconds: steps of at most 10, each on the last version', () => {
  const world = new World();
  const ada = world.open();
  let text = base;
  const sent = [base];
  for (let i = 0; i < 50; i += 1) {
    text += `w${i} `;
    ada.type(`w${i} `);
    world.advance(500);
  }
  world.advance(3000);
  assert.ok(ada.puts.length >= 3 && ada.puts.length <= 4, `${ada.puts.length} PUTs`);
  let before = 1_000_000;
  for (const [i, put] of ada.puts.entries()) {
    assert.ok(put.atMs - before <= 10_500, `${put.atMs - before} ms between PUTs`);
    assert.equal(put.on, on(i + 1, sent.at(-1) ?? ''));
    before = put.atMs;
    sent.push(put.text);
  }
  assert.equal(world.server.textOf('a.md'), text);
  world.assertNothingLost();
});

test('3 typing during a PUT: the second PUT waits for the response', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.type('first ');
  world.advance(2000);
  ada.type('second ');
  world.advance(20_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saving');
  ada.release();
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(1, base), on(2, `${base}first `)],
  );
  assert.equal(world.server.textOf('a.md'), `${base}first second `);
  world.assertNothingLost();
});

test('4 three save requests during a PUT: one more PUT with the newer text', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.type('first ');
  ada.save();
  ada.type('second ');
  for (let i = 0; i < 3; i += 1) ada.save();
  assert.equal(ada.puts.length, 1);
  ada.release();
  world.advance(60_000);
  assert.equal(ada.puts.length, 2);
  assert.equal(world.server.textOf('a.md'), `${base}first second `);
  assert.deepEqual(ada.said, [{ kind: 'saved' }]);
});

test('5 a save request with nothing typed: no PUT, and Saved is shown', () => {
  const world = new World();
  const ada = world.open();
  ada.save();
  world.advance(60_000);
  assert.equal(ada.puts.length, 0);
  assert.deepEqual(ada.said, [{ kind: 'saved' }]);
});

test('6 edited back to the text that was read: no PUT and no draft', () => {
  const world = new World();
  const ada = world.open();
  ada.write(`${base}oops`);
  world.advance(1000);
  assert.equal(world.drafts.size, 1);
  ada.write(base);
  world.advance(60_000);
  assert.equal(ada.puts.length, 0);
  assert.equal(world.drafts.size, 0);
  assert.equal(ada.saveState, 'saved');
});

test('6b edited back to the read text during a PUT: not saved before the server has it again', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['held_after', 'held_after'];
  ada.type('hello');
  world.advance(2000);
  ada.write(base);
  assert.equal(ada.saveState, 'saving');
  ada.release();
  world.advance(2000);
  assert.equal(ada.saveState, 'saving');
  ada.release();
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.server.textOf('a.md'), base);
});

test('7 a lost request: the same bytes are sent again with the same precondition, once', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_before'];
  ada.type('hello');
  world.advance(2000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saving');
  ada.feed();
  world.advance(60_000);
  const [first, second] = ada.puts;
  assert.equal(ada.puts.length, 2);
  assert.deepEqual(
    [second?.text, second?.on, second?.rejectStale],
    [first?.text, first?.on, first?.rejectStale],
  );
  assert.equal(world.server.textOf('a.md'), `${base}hello`);
  assert.deepEqual(world.server.copies, []);
});

test('8 a lost response: one version, found by a read', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.type('hello');
  world.advance(2000);
  world.advance(60_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(world.server.versions('a.md').length, 2);
  assert.equal(ada.saveState, 'saved');
  assert.equal(world.drafts.size, 0);
});

test('8b a long loss of responses: the text is shown as kept on this device', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.type('hello');
  world.advance(2000);
  ada.isDown = true;
  world.advance(6000);
  assert.equal(ada.saveState, 'offline');
});

test('9 lost, then more text: the loss is resolved first, then the newer text is sent', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.type('first ');
  world.advance(2000);
  ada.type('second ');
  ada.save();
  assert.equal(ada.puts.length, 1);
  ada.feed();
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(1, base), on(2, `${base}first `)],
  );
  assert.equal(world.server.textOf('a.md'), `${base}first second `);
  assert.deepEqual(world.server.copies, []);
});

test('10 lost but landed, then a foreign save: found among the versions, merged', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.type('hello\n');
  world.advance(2000);
  world.server.rewrite('a.md', (text) => `title\n\n${text}`);
  world.advance(60_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.shown, `title\n\n${base}hello\n`);
  assert.ok(ada.isClean);
  assert.deepEqual(world.server.copies, []);
  world.assertNothingLost();
});

test('10b lost but landed, then a foreign save of the same words: it is based on ours, no conflict', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.write(base.replace('two', 'mine'));
  world.advance(2000);
  world.server.rewrite('a.md', (text) => text.replace('mine', 'mine, and theirs'));
  world.advance(60_000);
  assert.equal(ada.shown, base.replace('two', 'mine, and theirs'));
  assert.equal(ada.saveState, 'saved');
});

test('11 lost and not landed, then a foreign save: merged, and sent on the foreign version', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_before'];
  ada.type('hello\n');
  world.advance(2000);
  world.server.rewrite('a.md', (text) => `title\n\n${text}`);
  world.advance(60_000);
  assert.equal(ada.puts.length, 2);
  assert.equal(ada.puts[1]?.on, on(2, `title\n\n${base}`));
  assert.equal(world.server.textOf('a.md'), `title\n\n${base}hello\n`);
  assert.deepEqual(world.server.copies, []);
});

test('11b lost and not landed, and a foreign save is reported during the check: read again first', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_before'];
  ada.readsHeld = true;
  ada.type('hello\n');
  world.advance(4000);
  world.server.rewrite('a.md', (text) => `title\n\n${text}`);
  ada.feed();
  ada.readsHeld = false;
  ada.release();
  world.advance(60_000);
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(1, base), on(2, `title\n\n${base}`)],
  );
  assert.equal(world.server.textOf('a.md'), `title\n\n${base}hello\n`);
});

test('12 the lost PUT arrives after a newer one: rejected, and no text is lost', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['late'];
  ada.type('first ');
  world.advance(2000);
  ada.type('second ');
  ada.feed();
  world.advance(10_000);
  assert.equal(world.server.textOf('a.md'), `${base}first second `);
  ada.deliverLate();
  ada.feed();
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base}first second `);
  assert.deepEqual(world.server.copies, []);
  assert.ok(ada.isClean);
});

test('13 the feed reports the save before its response arrives', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['held_after'];
  ada.type('hello');
  world.advance(2000);
  ada.feed();
  assert.equal(ada.reads.length, 0);
  ada.release();
  world.advance(60_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saved');
  assert.equal(ada.reads.length, 0);
});

test('13b the feed reports a save whose response is lost: the record replaces the response', () => {
  const world = new World();
  const ada = world.open();
  ada.fates = ['lost_after'];
  ada.type('hello');
  world.advance(2000);
  ada.feed();
  assert.equal(ada.saveState, 'saved');
  assert.equal(ada.reads.length, 0);
});

test('14 the feed reports the save after its response, and two saves at once', () => {
  const world = new World();
  const ada = world.open();
  ada.type('first ');
  ada.save();
  ada.type('second ');
  ada.save();
  ada.feedPage(1);
  ada.feed();
  world.advance(60_000);
  assert.equal(ada.puts.length, 2);
  assert.equal(ada.reads.length, 0);
  assert.equal(ada.applied.length, 0);
});

test('15 the same page of the feed again changes nothing', () => {
  const world = new World();
  const ada = world.open();
  world.server.rewrite('a.md', (text) => `title\n\n${text}`);
  ada.feed();
  ada.type('hello\n');
  ada.save();
  ada.feed();
  const { length } = ada.reads;
  ada.replayFeed();
  ada.replayFeed();
  world.advance(60_000);
  assert.equal(ada.reads.length, length);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.applied.length, 1);
});

test('15b the same page again during a conflict: the engine reads nothing again', () => {
  const world = new World();
  const ada = world.open();
  ada.replace('two', 'mine');
  for (const words of ['theirs', 'theirs again']) {
    world.server.rewrite('a.md', () => base.replace('two', words));
    ada.feed();
  }
  const { length } = ada.reads;
  ada.replayFeed();
  world.advance(60_000);
  assert.equal(ada.reads.length, length);
  assert.equal(ada.saveState, 'conflict');
});
