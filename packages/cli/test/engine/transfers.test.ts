import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changesMax,
  commitOperationsMax,
  parseWorkspacePath,
  requestsAtOnce,
  smallRequestsAtOnce,
} from '@stoa/core';
import { RemoteFailure } from '../../src/engine/ports/remote-workspace.ts';
import { withRetryBudget } from '../../src/engine/with-retry-budget.ts';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };

function start({ restMs, putMs = 1000 }: { readonly restMs?: number; readonly putMs?: number } = {}) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  const steps: string[] = [];
  const requests: string[] = [];
  const downloadsAt: number[] = [];
  const acts = new Map<string, () => void>();
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (request) => {
      requests.push(request);
      if (request === 'download') downloadsAt.push(time.now());
      return 'none';
    },
    trace: () => {},
    ...(restMs === undefined ? {} : { restMs }),
    onStep: async (name) => {
      steps.push(name);
      acts.get(name)?.();
      acts.delete(name);
      // Long enough for all concurrent uploads to begin.
      if (name === 'upload: put') await time.sleep(putMs);
    },
  });
  const beforeStep = (name: string, act: () => void) => acts.set(name, act);
  return { time, server, client, disk: client.disk, steps, requests, downloadsAt, beforeStep };
}

/** Returns the largest number of concurrent uploads. */
function uploadsAtOnce(steps: readonly string[]): number {
  let running = 0;
  let most = 0;
  for (const step of steps) {
    if (step === 'upload: put') running += 1;
    if (step === 'upload: answered') running -= 1;
    most = Math.max(most, running);
  }
  return most;
}

const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
const absent = { kind: 'absent' } as const;

describe('a download whose content is already in the folder', () => {
  const large = new Uint8Array(100_000).fill(7);

  it('is copied from the local file and not fetched', async () => {
    const { client, disk, server, requests } = start();
    server.addMember(agent.userId);
    disk.writeFile('a.bin', large);
    client.start();
    await client.untilQuiet();
    requests.length = 0;
    server.write(agent, parseWorkspacePath('copy.bin'), large, absent, 'text/plain');
    await client.untilQuiet();
    assert.deepEqual(disk.readFile('copy.bin'), large);
    assert.equal(requests.includes('get'), false);
    assert.equal(
      (await client.store().readBaseFile(parseWorkspacePath('copy.bin')))?.contentType,
      'text/plain',
    );
  });

  it('is fetched when that file changes before the copy', async () => {
    const { client, disk, server, requests, beforeStep } = start();
    server.addMember(agent.userId);
    disk.writeFile('a.bin', large);
    client.start();
    await client.untilQuiet();
    requests.length = 0;
    beforeStep('download: copy', () => disk.writeFile('a.bin', new Uint8Array(100_000).fill(8)));
    server.write(agent, parseWorkspacePath('copy.bin'), large, absent, null);
    await client.untilQuiet();
    assert.deepEqual(disk.readFile('copy.bin'), large);
    assert.equal(requests.includes('get'), true);
  });
});

describe('transfers', () => {
  for (const { sizeBytes, atOnce, name } of [
    { name: 'small files', sizeBytes: 10, atOnce: smallRequestsAtOnce },
    { name: 'larger files', sizeBytes: 100 * 1024, atOnce: requestsAtOnce },
  ]) {
    it(`of ${name}: ${atOnce} run at once`, async () => {
      const { client, disk, steps } = start();
      for (let n = 0; n < 40; n += 1) disk.writeFile(`${n}.bin`, new Uint8Array(sizeBytes).fill(n));
      client.start();
      await client.untilQuiet();
      assert.equal(uploadsAtOnce(steps), atOnce);
    });
  }
});

describe('files that both sides have', () => {
  it(`are recorded in ${commitOperationsMax} concurrent commits, without request slots`, async () => {
    const { client, disk, server } = start();
    server.addMember(agent.userId);
    for (let n = 0; n < 3 * commitOperationsMax; n += 1) {
      const bytes = new Uint8Array(10).fill(n);
      disk.writeFile(`${n}.md`, bytes);
      server.write(agent, parseWorkspacePath(`${n}.md`), bytes, absent, null);
    }
    const store = client.store();
    const commit = store.commit;
    let [running, most] = [0, 0];
    Object.assign(store, {
      async commit(...note: Parameters<typeof commit>) {
        running += 1;
        most = Math.max(most, running);
        await commit(...note);
        running -= 1;
      },
    });
    client.start();
    await client.untilQuiet();
    assert.equal(most, commitOperationsMax);
  });
});

describe('bytes that the server cannot deliver', () => {
  const minuteMs = 60_000;
  const passMs = 20_000;
  const path = parseWorkspacePath('a.md');
  const newer = { kind: 'version', version: 1, contentHash: null } as const;

  function assertPauses(times: readonly number[], minutes: readonly number[]): void {
    assert.equal(times.length, minutes.length + 1);
    for (const [at, expected] of minutes.entries()) {
      const paused = (times[at + 1] ?? 0) - (times[at] ?? 0);
      assert.ok(
        paused >= expected * minuteMs && paused < expected * minuteMs + 2 * passMs,
        `${at}: ${paused} ms`,
      );
    }
  }

  it('are requested again after 1, 5 and 30 minutes, even when the clock jumps', async () => {
    const { time, client, server, downloadsAt } = start({ restMs: passMs });
    server.addMember(agent.userId);
    server.write(agent, path, new Uint8Array(100).fill(1), absent, null);
    server.damaged.add(path);
    client.start();
    await time.run(2 * minuteMs);
    client.jumpClock(-365 * 86_400_000);
    await time.run(70 * minuteMs);
    assertPauses(downloadsAt, [1, 5, 30, 30]);
    server.damaged.clear();
    await time.run(31 * minuteMs);
    assert.equal(client.disk.find('a.md')?.kind, 'file');
    downloadsAt.length = 0;
    server.write(agent, path, new Uint8Array(100).fill(2), newer, null);
    server.damaged.add(path);
    await time.run(2 * minuteMs);
    assertPauses(downloadsAt, [1]);
  });

  it('lose their backoff when the file is deleted and wait a minute when it returns', async () => {
    const { time, client, server, downloadsAt } = start({ restMs: passMs });
    server.addMember(agent.userId);
    const bytes = new Uint8Array(100).fill(1);
    server.write(agent, path, bytes, absent, null);
    server.damaged.add(path);
    client.start();
    await time.run(10 * minuteMs);
    assert.equal(downloadsAt.length, 3);
    const there = server.find(path, agent.userId);
    assert.ok(there);
    server.delete(agent, path, there);
    await time.run(40 * minuteMs);
    downloadsAt.length = 0;
    server.write(agent, path, bytes, absent, null);
    await time.run(3 * minuteMs);
    assertPauses(downloadsAt, [1]);
  });
});

describe('a program that its user ends', () => {
  const files = Array.from({ length: 3 * smallRequestsAtOnce }, (_, n) => `${n}.md`);
  const begunBeforeTheEnd = async (putMs: number) => {
    const { client, disk, time, server, steps, beforeStep } = start({ putMs });
    for (const path of files) disk.writeFile(path, new TextEncoder().encode(path));
    beforeStep('upload: put', () => void time.sleep(1).then(() => client.end()));
    client.start();
    await time.run(60_000);
    const names = () => [...server.filesFor(own.userId).keys()];
    return { client, names, begun: steps.filter((step) => step === 'upload: put').length };
  };

  it('finishes the running uploads and begins no new one', async () => {
    const { client, names, begun } = await begunBeforeTheEnd(9000);
    assert.ok(begun > 0 && begun < files.length, `${begun} began`);
    assert.equal(names().length, begun);
    for (const path of names()) assert.equal((await client.store().readBaseFile(path))?.version, 1);
  });

  it('gives up uploads after ten seconds and sends them at the next start', async () => {
    const { client, names, begun } = await begunBeforeTheEnd(11_000);
    assert.ok(begun > 0 && begun < files.length, `${begun} began`);
    assert.deepEqual(names(), []);
    client.start();
    await client.untilQuiet();
    assert.deepEqual(names().sort(), files.toSorted());
  });
});

describe('a request that keeps failing', () => {
  for (const [what, retryAfterSeconds, leastTries] of [
    ['is retried with backoff until the retry budget of the pass is used up', null, 4],
    ['is not retried when `Retry-After` exceeds the retry budget', 31, 1],
  ] as const) {
    it(what, async () => {
      const time = createSimulatedTime(1);
      const triedAt: number[] = [];
      const failure = new RemoteFailure('passing', 'away', { retryAfterSeconds });
      const settings = {
        maxChanges: changesMax,
        merge: 'off',
        label: 'service-cli',
        retryBudgetMs: 30_000,
      } as const;
      const given = { pace: time.createPace(), settings, signal: new AbortController().signal, onEvent() {} };
      let thrown: unknown = null;
      withRetryBudget(given, async () => {
        triedAt.push(time.now());
        throw failure;
      }).catch((error: unknown) => {
        thrown = error;
      });
      assert.ok(await time.run(3_600_000, () => thrown !== null));
      assert.equal(thrown, failure);
      assert.ok(triedAt.length >= leastTries && triedAt.length <= 10, triedAt.join());
      assert.ok((triedAt.at(-1) ?? 0) <= 30_000);
    });
  }
});
