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
  more: Partial<Pick<SimulatedClientOptions, 'disk' | 'restMs' | 'onStep'>> = {},
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
    versionOf: (path: string) => server.find(parseWorkspacePath(path), own.userId)?.version ?? null,
    sizes: (path: string) =>
      server
        .listVersions(parseWorkspacePath(path), own.userId)
        .map(({ bytes }) => bytes.length)
        .reverse(),
  };
}

describe('what is still being written', () => {
  for (const [name, watches] of [
    ['a watch', true],
    ['a sync', false],
  ] as const) {
    it(`an emptied file is sent by ${name} only when it has stayed empty for ten seconds`, async () => {
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
    it(`a file that is missing for a moment is not deleted there by ${name}`, async () => {
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
      // The next version of the same file.
      assert.deepEqual(sizes('a.md'), [4, 5]);
      assert.equal(versionOf('a.md'), 2);
      disk.unlink('a.md');
      await run(20_000);
      assert.equal(versionOf('a.md'), null);
    });
  }

  it('a file that is renamed beside a sync is moved, though only the folder that it left was read again', async () => {
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

  it('a large file that is just being written is taken when it has stood still for a second', () => {
    const settling = new Settling();
    const path = parseWorkspacePath('film.bin');
    const looksAt = (now: number, stamp: string, isRecent = true, sizeBytes = 9 * 1024 * 1024) => {
      const file = { kind: 'file', name: path, isUtf8: true, object: null, mode: 0o644 } as const;
      const entry = { ...file, diskPath: path, stamp: stamp as Stamp, sizeBytes, isRecent };
      return settling.look({ files: new Map([[path, entry]]) }, new Map(), now).get(path);
    };
    assert.equal(looksAt(0, '1'), 1000);
    assert.equal(looksAt(600, '2'), 1000);
    assert.equal(looksAt(1200, '2'), 400);
    assert.equal(looksAt(1600, '2'), undefined);
    // Written a while ago, or small: at once.
    assert.equal(looksAt(1600, '3', false), undefined);
    assert.equal(looksAt(1600, '4', true, 1024), undefined);
  });
});
