import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath, type Stamp } from '@stoa/core';
import { Settling } from '../../src/engine/observe/settling.ts';
import { createSimulatedClient, type SimulatedClientOptions } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };

function start(
  watches: boolean,
  more: Partial<Pick<SimulatedClientOptions, 'disk' | 'restMs' | 'onStep' | 'trace'>> = {},
) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: () => {},
    watches,
    ...more,
  });
  return {
    client,
    server,
    disk: client.disk,
    run: (ms: number) => time.run(ms),
    now: () => time.now(),
    versionOf: (path: string) => server.find(parseWorkspacePath(path), own.userId)?.version ?? null,
    sizes: (path: string) =>
      server
        .listVersions(parseWorkspacePath(path), own.userId)
        .map(({ bytes }) => bytes.length)
        .reverse(),
  };
}

describe('a file that is still being written', () => {
  for (const [name, watches] of [
    ['a watch', true],
    ['a sync', false],
  ] as const) {
    it(`is sent as empty by ${name} only after ten seconds without content`, async () => {
      const { client, disk, run, sizes } = start(watches);
      disk.writeFile('a.md', bytesOf('text'));
      client.start();
      await client.untilQuiet();
      disk.writeFile('a.md', bytesOf(''));
      await run(8000);
      disk.writeFile('a.md', bytesOf('longer text'));
      await client.untilQuiet();
      assert.deepEqual(sizes('a.md'), [4, 11]);
      disk.writeFile('a.md', bytesOf(''));
      await run(20_000);
      assert.deepEqual(sizes('a.md'), [4, 11, 0]);
    });
  }

  for (const [name, watches] of [
    ['a watch', true],
    ['a sync', false],
  ] as const) {
    it(`is not deleted on the server by ${name} when it is missing for a moment`, async () => {
      const { client, disk, run, sizes, versionOf } = start(watches, {
        disk: { hasFolderTimes: true },
        restMs: 200,
      });
      disk.writeFile('a.md', bytesOf('text'));
      client.start();
      await client.untilQuiet();
      await run(10_000);
      disk.unlink('a.md');
      await run(1500);
      disk.writeFile('a.md', bytesOf('saved'));
      await client.untilQuiet();
      // The file keeps its history and gets its next version.
      assert.deepEqual(sizes('a.md'), [4, 5]);
      assert.equal(versionOf('a.md'), 2);
      disk.unlink('a.md');
      await run(20_000);
      assert.equal(versionOf('a.md'), null);
    });
  }

  it('is moved on the server when it is renamed during a sync', async () => {
    const [old, moved] = [parseWorkspacePath('inbox/a.md'), parseWorkspacePath('archive/a.md')];
    const { client, server, disk } = start(false, {
      onStep: (name) => {
        if (name === 'create: done' && disk.find(old) !== null) disk.rename(old, moved);
      },
    });
    for (const path of ['inbox/a.md', 'archive/b.md']) {
      disk.makeFolder(path.split('/')[0] ?? '');
      disk.writeFile(path, bytesOf(path));
    }
    client.start();
    await client.untilQuiet();
    const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
    server.write(agent, parseWorkspacePath('inbox/c.md'), bytesOf('c'), { kind: 'absent' }, null);
    await client.untilQuiet();
    const { changes } = server.readChanges(own.userId, 0, 100);
    assert.deepEqual(
      changes.slice(-2).map(({ op, path }) => [op, path]),
      [
        ['delete', old],
        ['move', moved],
      ],
    );
  });
});

for (const [name, watches] of [
  ['a watch', true],
  ['a sync', false],
] as const) {
  it(`a file that is renamed again before ${name} has read it keeps its history`, async () => {
    const { client, server, disk, run } = start(watches);
    disk.writeFile('a.md', bytesOf('text'));
    client.start();
    await client.untilQuiet();
    await run(10_000);
    disk.rename('a.md', 'b.md');
    disk.writeFile('b.md', bytesOf('edited'));
    disk.fault = (what, path) => {
      if (what !== 'read' || path !== 'b.md') return null;
      disk.fault = () => null;
      // After the scan, before the content is read.
      queueMicrotask(() => disk.rename('b.md', 'c.md'));
      return null;
    };
    await client.untilQuiet();
    const { changes } = server.readChanges(own.userId, 0, 100);
    assert.deepEqual(
      changes.map(({ op, path }) => `${op} ${path}`),
      ['write a.md', 'delete a.md', 'move c.md', 'write c.md'],
    );
  });
}

it('a sync that ends while it reads files reads no more of them', async () => {
  const { client, disk, run, versionOf } = start(false);
  for (const name of ['a.md', 'b.md', 'c.md']) disk.writeFile(name, bytesOf(name));
  await run(10_000);
  const reads = new Map<string, number>();
  disk.fault = (what, path) => {
    if (what !== 'read') return null;
    reads.set(path, (reads.get(path) ?? 0) + 1);
    // The scan is the first to look at it.
    if (path === 'b.md' && reads.get(path) === 2) client.end();
    return null;
  };
  client.start();
  await run(10_000);
  assert.deepEqual(
    ['a.md', 'b.md', 'c.md'].map((name) => reads.get(name)),
    [2, 2, 1],
  );
  disk.fault = () => null;
  client.start();
  await client.untilQuiet();
  assert.equal(versionOf('c.md'), 1);
});

for (const hasFolderTimes of [false, true]) {
  const name = hasFolderTimes ? ' on a disk with folder times' : '';
  it(`a chain of moves right after the upload keeps the history of each file${name}`, async () => {
    const { client, server, disk } = start(true, { disk: { hasFolderTimes }, restMs: 200 });
    for (const name of ['first.md', 'second.md']) disk.writeFile(name, bytesOf(name));
    client.start();
    await client.untilQuiet();
    const before = server.readChanges(own.userId, 0, 100).changes.length;
    disk.rename('second.md', 'third.md');
    disk.rename('first.md', 'second.md');
    await client.untilQuiet();
    const { changes } = server.readChanges(own.userId, 0, 100);
    assert.deepEqual(
      changes.slice(before).map(({ op, path }) => `${op} ${path}`),
      ['delete second.md', 'move third.md', 'delete first.md', 'move second.md'],
    );
  });
}

/** Starts a synced folder with a log file to append to. */
async function startLog(watches: boolean, sizeBytes: number) {
  const world = start(watches, { restMs: 200 });
  const { client, disk, run } = world;
  let bytes = new Uint8Array(sizeBytes);
  disk.writeFile('app.log', bytes);
  client.start();
  await client.untilQuiet();
  // Uploads of more than a minute ago no longer limit new ones.
  await run(120_000);
  const before = world.sizes('app.log').length;
  return {
    ...world,
    /** Counts the versions since the first appended bytes. */
    versions: () => world.sizes('app.log').length - before,
    isSent: () => world.sizes('app.log').at(-1) === bytes.length,
    append(count: number) {
      const longer = new Uint8Array(bytes.length + count);
      longer.set(bytes);
      bytes = longer;
      disk.writeFile('app.log', bytes);
    },
  };
}

describe('a file that keeps changing', () => {
  for (const spacingMs of [300, 2500, 8000]) {
    it(`makes few versions of a large log that grows every ${spacingMs / 1000} s`, async () => {
      const log = await startLog(true, 7_000_000);
      for (let at = 0; at < 60_000; at += spacingMs) {
        log.append(500);
        await log.run(spacingMs);
      }
      await log.run(60_000);
      assert.ok(log.isSent(), 'the last append is not sent');
      assert.ok(log.versions() <= 4, `${log.versions()} versions`);
    });
  }

  it('backs off between versions of a small log', async () => {
    const log = await startLog(true, 1000);
    const times: number[] = [];
    for (let at = 0; at < 1_800_000; at += 1000) {
      log.append(10);
      await log.run(1000);
      if (log.versions() > times.length) times.push(Math.round(at / 1000));
    }
    const distances = times.slice(1).map((at, before) => at - (times[before] ?? 0));
    for (const [location, expected] of [10, 30, 120, 600, 600].entries()) {
      const distance = distances[location] ?? Number.NaN;
      assert.ok(Math.abs(distance - expected) <= 4, `${distances}`);
    }
    assert.ok(times.length <= 6);
    await log.run(5000);
    assert.ok(log.isSent(), 'the last append is not sent after a pause');
  });

  it('is listed as skipped with the time of its next upload', async () => {
    const log = await startLog(true, 1000);
    for (let at = 0; at < 20_000; at += 500) {
      log.append(10);
      await log.run(500);
    }
    const [row] = await log.client.store().listLeftOut(10);
    assert.deepEqual([row?.path, row?.reason], ['app.log', 'changing']);
    // The third version is due thirty seconds after the second, which was sent at ten seconds.
    const leftMs = (row?.retryAt ?? 0) - Date.parse('2026-11-20T12:00:00Z') - log.now();
    assert.ok(leftMs > 10_000 && leftMs <= 25_000, `${leftMs} ms`);
    await log.run(10_000);
    assert.deepEqual(await log.client.store().listLeftOut(10), []);
  });

  it('is sent by every single sync', async () => {
    const log = await startLog(false, 1000);
    for (let round = 0; round < 5; round += 1) {
      log.append(10);
      await log.run(20_000);
      assert.ok(log.isSent());
    }
  });

  it('is sent at once after a minute without changes', async () => {
    const log = await startLog(true, 1000);
    for (let round = 1; round <= 5; round += 1) {
      log.append(10);
      await log.run(1500);
      assert.equal(log.versions(), round);
      await log.run(90_000);
    }
  });

  it('sends at most 64 MiB in a minute', () => {
    const settling = new Settling();
    const path = parseWorkspacePath('film.bin');
    const sizeBytes = 25 * 1024 * 1024;
    const sent: number[] = [];
    for (let now = 0; now < 1_200_000; now += 500) {
      // The file changes every half second, except in the last three of every fifteen seconds.
      const stamp = String(now % 15_000 < 12_000 ? now : now - (now % 15_000)) as Stamp;
      const file = { kind: 'file', name: path, isUtf8: true, object: null, mode: 0o644 } as const;
      const entry = { ...file, diskPath: path, stamp, sizeBytes, isRecent: true };
      if (settling.look({ files: new Map([[path, entry]]) }, new Map(), now).has(path)) continue;
      settling.recordSent(path, entry, now);
      sent.push(now);
    }
    assert.ok(sent.length > 2);
    for (const at of sent) {
      const within = sent.filter((each) => each >= at && each < at + 60_000).length;
      assert.ok(within * sizeBytes <= 64 * 1024 * 1024, `${within} from ${at} ms on`);
    }
  });
});

describe('a file that keeps changing and moving', () => {
  for (const [kind, sizeBytes, isSynced, expected] of [
    ['small', 1000, true, [10, 20, 50, 170]],
    ['large', 2_000_000, true, [10, 40, 160]],
    ['new large', 2_000_000, false, [10, 40, 160]],
  ] as const) {
    it(`is sent after growing pauses if it is ${kind}`, async () => {
      const reported: string[] = [];
      const { client, disk, run, now, server } = start(true, {
        disk: { hasFolderTimes: true },
        restMs: 200,
        trace: (line) => reported.push(line),
      });
      let bytes = new Uint8Array(sizeBytes);
      client.start();
      if (isSynced) {
        disk.writeFile('app-0.log', bytes);
        await client.untilQuiet();
        await run(120_000);
      } else {
        await client.untilQuiet();
        disk.writeFile('app-0.log', bytes);
      }
      const from = now();
      const sizeThere = () => [...server.filesFor(own.userId).values()].map((each) => each.bytes.length);
      const times: number[] = [];
      let seen = sizeThere()[0] ?? 0;
      for (let round = 1; now() < from + 240_000; round += 1) {
        disk.rename(`app-${round - 1}.log`, `app-${round}.log`);
        bytes = new Uint8Array(bytes.length + 10);
        disk.writeFile(`app-${round}.log`, bytes);
        await run(1500);
        const [size = 0, ...others] = sizeThere();
        assert.deepEqual(others, []);
        if (size !== seen) times.push(Math.round((now() - from) / 1000));
        seen = size;
      }
      assert.equal(times.length, expected.length, `${times}`);
      for (const [location, at] of expected.entries()) {
        assert.ok(Math.abs((times[location] ?? 0) - at) <= 8, `${times}`);
      }
      // The user sees one line for each wait, whatever its name is then.
      const lines = reported.filter((line) => line.includes('"changing"')).length;
      assert.ok(lines >= expected.length && lines <= expected.length + 2, `${lines} lines`);
      await client.untilQuiet();
      assert.deepEqual(sizeThere(), [bytes.length]);
      // Its history and comments follow it.
      const { changes } = server.readChanges(own.userId, 0, 1000);
      const deleted = changes.filter(({ op }) => op === 'delete').length;
      assert.equal(deleted, changes.filter(({ op }) => op === 'move').length);
    });
  }
});

describe('a large file that is being written', () => {
  it('is sent after two seconds without changes', () => {
    const settling = new Settling();
    const path = parseWorkspacePath('film.bin');
    const looksAt = (now: number, stamp: string, isRecent = true, sizeBytes = 9 * 1024 * 1024) => {
      const file = { kind: 'file', name: path, isUtf8: true, object: null, mode: 0o644 } as const;
      const entry = { ...file, diskPath: path, stamp: stamp as Stamp, sizeBytes, isRecent };
      return settling.look({ files: new Map([[path, entry]]) }, new Map(), now).get(path);
    };
    assert.equal(looksAt(0, '1'), 2000);
    assert.equal(looksAt(600, '2'), 2000);
    assert.equal(looksAt(1200, '2'), 1400);
    assert.equal(looksAt(2600, '2'), undefined);
    // A small file, or one that did not change recently, is sent at once.
    assert.equal(looksAt(2600, '3', false), undefined);
    assert.equal(looksAt(2600, '4', true, 1024), undefined);
  });
});
