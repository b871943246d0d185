import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ObjectId, parseWorkspacePath } from '@stoa/core';
import { RemoteFailure } from '../../src/engine/ports/remote-workspace.ts';
import type { SyncRequest } from '../../src/engine/ports/request-box.ts';
import {
  type PassEnd,
  type PassOptions,
  type WatchEvent,
  watchWorkspace,
} from '../../src/engine/watch/watch-workspace.ts';
import { createWhenToLook } from '../../src/engine/watch/when-to-look.ts';
import { plainDisk, SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedFolder } from '../simulated/simulated-folder.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { createSimulatedRemote } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytes = new TextEncoder().encode('x');
const member = { userId: 'grace', keyId: 'k1', keyName: 'sync' };
const other = { userId: 'ada', keyId: 'k2', keyName: 'browser' };

/** Starts a watch over a folder and a server. Its passes only read the feed. */
function startWatch(watcher: 'events' | 'none' = 'events') {
  const time = createSimulatedTime(1);
  const pace = time.createPace();
  const disk = new SimulatedDisk({ ...plainDisk, now: () => time.now() });
  disk.makeFolders('.stoa');
  disk.writeFile('.stoa/config.json', bytes);
  const server = new SimulatedServer(() => pace.wallNow());
  server.addMember(other.userId);
  let networkFails = false;
  const folder = createSimulatedFolder({
    disk,
    wallNow: () => pace.wallNow(),
    step: async () => {},
    newId: () => pace.newId(),
    watcher: () => watcher,
  });
  const remote = createSimulatedRemote({
    server,
    key: member,
    pace,
    step: () => pace.turn(),
    fault: () => (networkFails ? 'lost' : 'none'),
  });
  const passes: number[] = [];
  const options: PassOptions[] = [];
  const touched: string[] = [];
  const events: WatchEvent[] = [];
  const responses = new Map<string, unknown>();
  const abort = new AbortController();
  let cursor = 0;
  let isUnsettled = false;
  let folders: PassEnd['folders'] = new Map();
  let ask = (_id: string, _request: SyncRequest) => {};
  let ended: 'running' | 'ended' | { readonly error: unknown } = 'running';
  let stop: RemoteFailure | null = null;
  void watchWorkspace({
    folder,
    remote,
    pace,
    signal: abort.signal,
    cursor: () => cursor,
    isIgnored: () => false,
    isAwaited: () => false,
    onEvent: (event) => events.push(event),
    requests: {
      watch: async (onRequest) => {
        ask = onRequest;
        return { close: () => {} };
      },
      answer: async (id, outcome) => void responses.set(id, outcome),
    },
    serve: async (request) => ({ did: request.kind }),
    onTouched: (path) => touched.push(path),
    async runPass(wanted) {
      passes.push(time.now());
      options.push(wanted);
      if (stop !== null) throw stop;
      if (networkFails) throw new RemoteFailure('passing', 'away');
      const page =
        wanted.reported?.page ?? (await remote.readChanges({ cursor, limit: 1000, waitSeconds: null }));
      cursor = page.nextSeq;
      const wholeScanMs = wanted.isOnlyTouched ? null : 0;
      const end = { isUnsettled, isInSync: true, isPending: false, folders, wholeScanMs, retryInMs: null };
      isUnsettled = false;
      return end;
    },
  }).then(
    () => {
      ended = 'ended';
    },
    (error: unknown) => {
      ended = { error };
    },
  );
  const run = (ms: number) => time.run(ms);
  return {
    time,
    run,
    disk,
    server,
    passes,
    wishes: options,
    touched,
    events,
    answers: responses,
    abort,
    ask: (id: string, request: SyncRequest) => ask(id, request),
    ended: () => ended,
    set: (facts: {
      networkFails?: boolean;
      isUnsettled?: boolean;
      folders?: PassEnd['folders'];
      stop?: RemoteFailure;
    }) => {
      networkFails = facts.networkFails ?? networkFails;
      isUnsettled = facts.isUnsettled ?? isUnsettled;
      folders = facts.folders ?? folders;
      stop = facts.stop ?? stop;
    },
    /** Counts the passes within the next `ms`. */
    async passesWithin(ms: number) {
      const before = passes.length;
      await run(ms);
      return passes.length - before;
    },
  };
}

describe('a watch', () => {
  it('runs a pass at the start and then only rarely', async () => {
    const watch = startWatch();
    assert.equal(await watch.passesWithin(1000), 1);
    assert.equal(await watch.passesWithin(200_000), 0);
    assert.equal(await watch.passesWithin(200_000), 1);
    watch.abort.abort();
    await watch.run(1000);
    assert.equal(watch.ended(), 'ended');
  });

  it('debounces writes into one pass', async () => {
    const watch = startWatch();
    await watch.run(1000);
    const from = watch.time.now();
    for (let n = 0; n < 5; n += 1) {
      watch.disk.writeFile('a', bytes);
      await watch.run(100);
    }
    assert.equal(await watch.passesWithin(1000), 1);
    const at = (watch.passes.at(-1) ?? 0) - from;
    assert(at >= 600 && at < 700, `after ${at} ms`);
  });

  it('reads only touched paths, except at the start and rarely afterwards', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.disk.writeFile('a', bytes);
    await watch.run(1000);
    watch.server.write(other, parseWorkspacePath('b'), bytes, { kind: 'absent' }, null);
    await watch.run(1000);
    assert.deepEqual(
      watch.wishes.map(({ isOnlyTouched }) => isOnlyTouched),
      [false, true, true],
    );
    assert.deepEqual([...new Set(watch.touched)], ['a']);
    await watch.run(400_000);
    assert.equal(watch.wishes.at(-1)?.isOnlyTouched, false);
  });

  it('passes a page of the feed to the pass instead of reading it twice', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.server.write(other, parseWorkspacePath('b'), bytes, { kind: 'absent' }, null);
    await watch.run(1000);
    const reported = watch.wishes.at(-1)?.reported;
    assert.equal(reported?.after, 0);
    assert.deepEqual(
      reported?.page.records.map(({ path }) => path),
      ['b'],
    );
  });

  it('runs a pass after two seconds of constant writes', async () => {
    const watch = startWatch();
    await watch.run(1000);
    for (let n = 0; n < 25; n += 1) {
      watch.disk.writeFile('a', bytes);
      await watch.run(100);
    }
    assert.equal(watch.passes.length, 2);
  });

  it('runs another pass for a file that changed too recently', async () => {
    const watch = startWatch();
    watch.set({ isUnsettled: true });
    assert.equal(await watch.passesWithin(3000), 2);
    assert.equal(watch.events.filter(({ event }) => event === 'in_sync').length, 1);
  });

  it('runs one pass at once for a change on the server', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.server.write(other, parseWorkspacePath('a'), bytes, { kind: 'absent' }, null);
    assert.equal(await watch.passesWithin(200), 1);
    assert.equal(await watch.passesWithin(60_000), 0);
  });

  it('backs off while the server is offline and reports when it is online again', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.set({ networkFails: true });
    watch.disk.writeFile('a', bytes);
    const tries = await watch.passesWithin(600_000);
    assert(tries > 5 && tries < 40, `${tries} tries`);
    // Local changes must not shorten the backoff.
    watch.disk.writeFile('b', bytes);
    assert((await watch.passesWithin(10_000)) <= 1);
    watch.set({ networkFails: false });
    await watch.run(61_000);
    const reported = watch.events.filter(({ event }) => event === 'offline' || event === 'online');
    assert.deepEqual(
      reported.map(({ event }) => event),
      ['offline', 'online'],
    );
  });

  it('ends when the server rejects the credential', async () => {
    const watch = startWatch();
    await watch.run(1000);
    const stop = new RemoteFailure('stopped', 'revoked');
    watch.set({ stop });
    watch.disk.writeFile('a', bytes);
    await watch.run(1000);
    assert.deepEqual(watch.ended(), { error: stop });
  });

  it('reopens when a folder was replaced, at most every two seconds', async () => {
    const watch = startWatch();
    const as = (object: string) => new Map([['docs', object as ObjectId]]);
    watch.set({ folders: as('1') });
    await watch.run(5000);
    watch.set({ folders: as('2') });
    watch.disk.writeFile('a', bytes);
    // One pass finds the new folder, and one more scans everything.
    assert.equal(await watch.passesWithin(1000), 2);
    assert.equal(await watch.passesWithin(60_000), 0);
  });

  it('keeps a request for a full scan that arrives during a scan', () => {
    const when = createWhenToLook(() => 0.5);
    when.begin();
    when.readAllAt(10);
    when.ended(20, { isUnsettled: false, wholeScanMs: 5 });
    assert.deepEqual([when.isAllDue(20), when.due()], [true, 10]);
    when.begin();
    when.ended(30, { isUnsettled: false, wholeScanMs: 5 });
    assert.equal(when.isAllDue(30), false);
  });

  it('scans everything every ten seconds without events', async () => {
    const watch = startWatch('none');
    await watch.run(1000);
    const passes = await watch.passesWithin(100_000);
    assert(passes >= 9 && passes <= 11, `${passes} passes`);
    assert(watch.events.some(({ event }) => event === 'polling'));
  });

  it('ends when the folder is gone, even without an event', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.disk.unlink('.stoa/config.json');
    await watch.run(10_000);
    assert.match(String((watch.ended() as { error: unknown }).error), /FolderGoneError/);
  });

  it('serves a request of another process and responds to it', async () => {
    const watch = startWatch();
    await watch.run(1000);
    watch.ask('r1', { kind: 'resync' });
    await watch.run(1000);
    assert.deepEqual(watch.answers.get('r1'), { did: 'resync' });
  });
});
