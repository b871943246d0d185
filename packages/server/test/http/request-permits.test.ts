import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createRequestPermits, type RequestPermits } from '../../src/http/permits/request-permits.ts';

/** Waits enough ticks for all work to begin that can begin. */
async function settled(): Promise<void> {
  for (let permit = 0; permit < 20; permit += 1) await nextTick();
}

function response() {
  const emitter = Object.assign(new EventEmitter(), { closed: false });
  return { emitter, response: emitter as unknown as ServerResponse };
}

/** Responses whose clients do not read them. `end` closes their connections. */
function unreadResponses() {
  const permits = createRequestPermits();
  const all: { readonly emitter: EventEmitter & { closed: boolean }; readonly sent: Promise<unknown> }[] = [];
  return {
    /** @returns whether the response has begun */
    begin(ask: (permits: RequestPermits, response: ServerResponse) => Promise<unknown>): () => boolean {
      const { emitter, response: to } = response();
      let hasBegun = false;
      const sent = ask(permits, to);
      sent.then(
        () => {
          hasBegun = true;
        },
        () => {},
      );
      all.push({ emitter, sent });
      return () => hasBegun;
    },
    /** Ends the first ones. */
    leave(count: number): void {
      for (const { emitter } of all.slice(0, count)) {
        emitter.closed = true;
        emitter.emit('close');
      }
    },
    async end(): Promise<void> {
      this.leave(all.length);
      await Promise.allSettled(all.map(({ sent }) => sent));
    },
  };
}

const downloadOf =
  (address: string, shareId: string): Parameters<ReturnType<typeof unreadResponses>['begin']>[0] =>
  (permits, to) =>
    permits.ofVisitor(to, () => [address], shareId).transfer();

function asking(permits = createRequestPermits()) {
  const begun: string[] = [];
  return {
    begun,
    ask(name: string, keys: readonly string[]) {
      const of = response();
      const permit = permits.of(of.response, () => keys).untilSent();
      permit.then(
        () => begun.push(name),
        () => begun.push(`${name} refused`),
      );
      return of;
    },
  };
}

test('two costly reads of one user run until they are sent, whatever other users request', async () => {
  const { begun, ask } = asking();
  const [first, second] = [ask('a1', ['ada']), ask('a2', ['ada'])];
  ask('a3', ['ada']);
  ask('a4', ['ada', 'elsewhere']);
  ask('b1', ['ben']);
  await settled();
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  first.emitter.emit('close');
  await settled();
  assert.deepEqual(begun.slice(3), ['a3']);
  second.emitter.emit('close');
  await settled();
  assert.deepEqual(begun.slice(4), ['a4']);
});

test('a read whose client left while it waited does not begin, and frees its slot', async () => {
  const { begun, ask } = asking();
  const [first] = [ask('a1', ['ada']), ask('a2', ['ada'])];
  const left = ask('a3', ['ada']);
  ask('a4', ['ada']);
  await settled();
  left.emitter.closed = true;
  first.emitter.emit('close');
  await settled();
  assert.deepEqual(begun, ['a1', 'a2', 'a3 refused', 'a4']);
});

test('downloads of one address are rejected beyond those that may wait', async () => {
  const permits = createRequestPermits();
  const sent = Array.from({ length: 100 }, () => {
    const { response: asked } = response();
    return permits.of(asked, () => ['127.0.0.1']).transfer();
  });
  const outcomes = await Promise.race([Promise.allSettled(sent.slice(96)), nextTick().then(() => settled())]);
  assert.ok(Array.isArray(outcomes));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.status)),
    Array(4).fill('overloaded'),
  );
  // No timer keeps the process alive: the waiting ones are rejected after a while.
  await Promise.allSettled(sent);
});

test('one address leaves most downloads of a link to others, however many it asks for', async () => {
  const unread = unreadResponses();
  const first = Array.from({ length: 96 }, () => unread.begin(downloadOf('10.0.0.1', 'link')));
  await settled();
  const others = ['10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) =>
    unread.begin(downloadOf(address, 'link')),
  );
  await settled();
  assert.deepEqual(
    others.map((hasBegun) => hasBegun()),
    [true, true, true],
  );
  assert.equal(first.filter((hasBegun) => hasBegun()).length, 32);
  await unread.end();
});

test('the addresses that wait for a link are served in turn', async () => {
  const unread = unreadResponses();
  const held = [1, 2, 3, 4].map((host) =>
    Array.from({ length: 32 }, () => unread.begin(downloadOf(`10.0.0.${host}`, 'link'))),
  );
  await settled();
  assert.ok(held.flat().every((hasBegun) => hasBegun()));
  const [many, few] = ['10.0.0.5', '10.0.0.6'].map((address, at) =>
    Array.from({ length: at === 0 ? 20 : 1 }, () => unread.begin(downloadOf(address, 'link'))),
  );
  await settled();
  const begun = () => [many, few].map((all) => all?.filter((hasBegun) => hasBegun()).length);
  assert.deepEqual(begun(), [0, 0]);
  unread.leave(2);
  await settled();
  assert.deepEqual(begun(), [1, 1]);
  await unread.end();
});

test('visitors of links leave downloads to users, however many addresses they have', async () => {
  const unread = unreadResponses();
  for (let host = 1; host <= 40; host += 1) {
    for (let download = 0; download < 32; download += 1)
      unread.begin(downloadOf(`10.0.0.${host}`, `link ${host}`));
  }
  await settled();
  const ofUser = unread.begin((permits, to) => permits.of(to, () => ['ada']).transfer());
  await settled();
  assert.equal(ofUser(), true);
  await unread.end();
});

test('visitors of links leave costly reads to users, however many addresses they have', async () => {
  const unread = unreadResponses();
  for (let host = 1; host <= 40; host += 1) {
    for (let page = 0; page < 2; page += 1) {
      unread.begin((permits, to) => permits.ofVisitor(to, () => [`10.0.0.${host}`], null).untilSent());
    }
  }
  await settled();
  const ofUser = unread.begin((permits, to) => permits.of(to, () => ['ada']).untilSent());
  await settled();
  assert.equal(ofUser(), true);
  await unread.end();
});

test('the calls of a batch no longer wait for news once the batch has waited long enough', async () => {
  let now = 0;
  const permits = createRequestPermits(() => now);
  const whileWaiting = await permits.of(response().response, () => ['ada']).callUntilSent(true);
  let waits = 0;
  for (let call = 0; call < 100; call += 1) {
    await whileWaiting(async () => {
      waits += 1;
      now += 20_000;
    });
  }
  // The connection would be cut after two minutes of silence.
  assert.equal(waits, 2);
});
