import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from './fake-server.ts';
import { World } from './world.ts';

const base = 'one two three\n\nfour five six\n';
const on = (version: number, text: string) => `${version} ${hashOf(text).slice(0, 8)}`;

test('35 signed out while typing: the text is saved after the same user signs in', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.isSignedOut = true;
  world.advance(2000);
  assert.equal(ada.saveState, 'signed_out');
  ada.type('eight\n');
  world.advance(600_000);
  assert.equal(ada.puts.length, 1);
  ada.isSignedOut = false;
  ada.notify({ kind: 'signed_in', isSamePerson: true });
  assert.equal(ada.reads.length, 1);
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\neight\n`);
  assert.equal(ada.saveState, 'saved');
  assert.deepEqual(world.server.copies, []);
});

test('36 signed out, and another user signs in: their session never sends this text', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.isSignedOut = true;
  world.advance(2000);
  ada.isSignedOut = false;
  ada.notify({ kind: 'signed_in', isSamePerson: false });
  ada.feed();
  world.advance(3_600_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(world.server.textOf('a.md'), base);
  world.assertNothingLost();
});

test('36b signed out before a PUT: closing the page does not send it as another user', () => {
  for (const isConflict of [false, true]) {
    const world = new World(base);
    const ada = world.open();
    ada.replace('two', 'mine');
    if (isConflict) {
      world.server.rewrite('a.md', (text) => text.replace('two', 'theirs'));
      ada.feed();
      assert.equal(ada.saveState, 'conflict');
    }
    const before = world.server.textOf('a.md');
    ada.notify({ kind: 'signed_out' });
    // Another user signs in, and their page replaces this one.
    ada.notify({ kind: 'signed_in', isSamePerson: false });
    ada.notify({ kind: 'left', page: true });
    ada.notify({ kind: 'closed' });
    world.advance(3_600_000);
    assert.deepEqual([ada.puts, world.server.copies], [[], []]);
    assert.equal(world.server.textOf('a.md'), before);
    world.assertNothingLost();
  }
});

test('37 a read-only workspace, then writable again: the engine retries when the user comes back', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.isReadOnly = true;
  ada.type('seven\n');
  world.advance(600_000);
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'read_only');
  world.server.isReadOnly = false;
  ada.notify({ kind: 'shown', page: false });
  world.advance(2000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
});

test('38 too large, then shorter: the engine does not send it until it fits', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.maxFileBytes = 100;
  ada.write(`${base}${'x'.repeat(100)}`);
  world.advance(2000);
  assert.equal(ada.saveState, 'refused: too_large');
  ada.write(`${base}${'x'.repeat(90)}`);
  world.advance(60_000);
  assert.equal(ada.puts.length, 1);
  ada.write(`${base}seven\n`);
  world.advance(2000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  assert.equal(ada.saveState, 'saved');
});

test('39 a full workspace, then space: the engine retries every minute and when the user saves', () => {
  const world = new World(base);
  const ada = world.open();
  world.server.isFull = true;
  ada.type('seven\n');
  world.advance(2000);
  assert.equal(ada.saveState, 'refused: full');
  world.advance(59_000);
  assert.equal(ada.puts.length, 1);
  world.advance(61_000);
  assert.equal(ada.puts.length, 3);
  ada.save();
  assert.equal(ada.puts.length, 4);
  world.server.isFull = false;
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
});

test('40 emptied, then typed: both are saved', () => {
  const world = new World(base);
  const ada = world.open();
  ada.write('');
  world.advance(60_000);
  assert.equal(world.server.textOf('a.md'), '');
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saved');
  ada.type('a new beginning');
  world.advance(2000);
  assert.equal(world.server.textOf('a.md'), 'a new beginning');
  assert.equal(ada.saveState, 'saved');
});

test('41 offline, typed, online: one PUT', () => {
  const world = new World(base);
  const ada = world.open();
  ada.goOffline();
  ada.type('seven\n');
  world.advance(600_000);
  assert.equal(ada.saveState, 'offline');
  assert.equal(ada.puts.length, 0);
  world.assertNothingLost();
  ada.goOnline();
  assert.equal(ada.puts.length, 1);
  assert.equal(ada.saveState, 'saved');
});

test('42 offline while others save: their text is merged before anything is sent', () => {
  const world = new World(base);
  const ada = world.open();
  ada.goOffline();
  ada.type('seven\n');
  world.server.rewrite('a.md', (text) => text.replace('two', 'TWO'));
  world.advance(600_000);
  ada.goOnline();
  world.advance(60_000);
  assert.deepEqual(
    ada.puts.map((put) => put.on),
    [on(2, base.replace('two', 'TWO'))],
  );
  assert.equal(world.server.textOf('a.md'), `${base.replace('two', 'TWO')}seven\n`);
});

test('43 the server is busy and names a time: the engine sends no request before', () => {
  const world = new World(base);
  const ada = world.open();
  ada.busySeconds = 30;
  ada.type('seven\n');
  world.advance(2000);
  assert.equal(ada.saveState, 'offline');
  ada.busySeconds = null;
  ada.feed();
  world.advance(29_000);
  assert.equal(ada.puts.length, 1);
  world.advance(1000);
  assert.equal(ada.puts.length, 2);
  assert.equal(ada.saveState, 'saved');
});

test('the page loses focus: its PUT uses keepalive, and later PUTs do not once the user types', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.notify({ kind: 'left', page: false });
  assert.partialDeepStrictEqual(ada.puts, [{ keepalive: true, rejectStale: true }]);
  ada.type('eight\n');
  world.advance(2000);
  assert.equal(ada.puts.length, 2);
  assert.equal(ada.puts[1]?.keepalive, false);
});

test('49 hidden: sent at once, with keepalive up to 60 KiB', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  ada.notify({ kind: 'hidden' });
  assert.partialDeepStrictEqual(ada.puts, [{ keepalive: true, rejectStale: true }]);
  ada.notify({ kind: 'shown', page: false });
  ada.type('x'.repeat(60 * 1024));
  ada.draftsHeld = true;
  ada.fates = ['held_before'];
  ada.notify({ kind: 'hidden' });
  ada.release();
  assert.equal(world.drafts.size, 1);
  assert.equal(ada.puts.length, 2);
  assert.equal(ada.puts[1]?.keepalive, false);
});

test('49b hidden with exactly 60 KiB, and with a byte more: keepalive includes the limit', () => {
  for (const [extra, keepalive] of [
    [0, true],
    [1, false],
  ] as const) {
    const world = new World('x');
    const ada = world.open();
    // The limit counts bytes, and this letter has two.
    ada.write('ä'.repeat(30 * 1024) + 'x'.repeat(extra));
    ada.notify({ kind: 'hidden' });
    assert.partialDeepStrictEqual(ada.puts, [{ keepalive, rejectStale: true }]);
    assert.equal(world.drafts.size, 0, 'the draft went when the text had arrived');
    assert.equal(ada.saveState, 'saved');
  }
});

test('49c the page is closed before the draft is stored: sent at once, and a lost race is kept', () => {
  const world = new World(base);
  const ada = world.open();
  ada.draftsHeld = true;
  ada.type('seven\n');
  ada.notify({ kind: 'closed' });
  ada.notify({ kind: 'hidden' });
  assert.partialDeepStrictEqual(ada.puts, [{ keepalive: true, rejectStale: false }]);
  assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
  // The browser kept the page, so new text waits for its draft again.
  ada.notify({ kind: 'shown', page: false });
  ada.type('eight\n');
  ada.save();
  assert.equal(ada.puts.length, 1);
  ada.release();
  assert.partialDeepStrictEqual(ada.puts.slice(1), [{ keepalive: false, rejectStale: true }]);
});

test('49d the page is closed with the text in its draft: a lost race makes no copy', () => {
  const world = new World(base);
  const ada = world.open();
  ada.type('seven\n');
  world.advance(1000);
  world.server.rewrite('a.md', (text) => text.replace('one', 'theirs'));
  ada.fates = ['held_before'];
  ada.notify({ kind: 'closed' });
  assert.partialDeepStrictEqual(ada.puts, [{ keepalive: true, rejectStale: true }]);
  ada.release();
  assert.deepEqual(world.server.copies, []);
  world.assertNothingLost();
});

test('49e the page is closed during a PUT: the text is sent again with keepalive and makes no copy', () => {
  for (const fate of ['held_before', 'held_after'] as const) {
    const world = new World(base);
    const ada = world.open();
    ada.fates = [fate];
    ada.type('seven\n');
    world.advance(2000);
    assert.partialDeepStrictEqual(ada.puts, [{ keepalive: false }]);
    ada.notify({ kind: 'left', page: false });
    assert.equal(ada.puts.length, 1, 'a PUT after only the focus was lost');
    ada.notify({ kind: 'closed' });
    ada.notify({ kind: 'hidden' });
    const [first, again] = ada.puts;
    assert.equal(ada.puts.length, 2);
    assert.deepEqual({ ...again, keepalive: false, atMs: first?.atMs }, first);
    assert.equal(again?.keepalive, true);
    assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
    // The browser kept the page, and the response to the earlier PUT also arrives.
    ada.notify({ kind: 'shown', page: false });
    ada.release();
    world.advance(60_000);
    assert.equal(ada.saveState, 'saved');
    assert.equal(ada.puts.length, 2);
    assert.deepEqual(world.server.copies, []);
    world.assertNothingLost();
  }
});

test('52 a content type that does not follow from the extension stays through ten saves', () => {
  const world = new World(base);
  world.server.put('b.md', base, { kind: 'none' }, { contentType: 'text/x-notes; charset=utf-16' });
  const ada = world.open('b.md');
  for (let i = 0; i < 10; i += 1) {
    ada.type(`line ${i}\n`);
    ada.save();
  }
  assert.equal(ada.puts.length, 10);
  assert.equal(world.server.read('b.md')?.contentType, 'text/x-notes; charset=utf-16');
});

test('55 the page is left during a PUT: the engine continues and finishes', () => {
  const world = new World(base);
  const ada = world.open();
  ada.fates = ['held_before'];
  ada.type('seven\n');
  ada.save();
  ada.type('eight\n');
  ada.leave();
  assert.equal(ada.puts.length, 1);
  ada.release();
  assert.equal(ada.puts.length, 2);
  assert.equal(world.server.textOf('a.md'), `${base}seven\neight\n`);
  assert.equal(ada.saveState, 'saved');
});

test('a lost response, and the file is no longer text: the app says so, and requests stop', () => {
  for (const fate of ['lost_before', 'lost_after'] as const) {
    const world = new World(base);
    const ada = world.open();
    ada.fates = [fate];
    ada.type('seven\n');
    ada.save();
    world.server.rewrite('a.md', () => '\0');
    world.advance(600_000);
    assert.equal(ada.saveState, 'refused: message');
    assert.deepEqual([ada.puts.length, ada.reads.length], [1, 1]);
    // The file is text again, and a save continues from it.
    world.server.rewrite('a.md', () => base);
    ada.feed();
    ada.save();
    world.advance(60_000);
    assert.equal(world.server.textOf('a.md'), `${base}seven\n`);
    assert.equal(ada.saveState, 'saved');
    world.assertNothingLost();
  }
});
