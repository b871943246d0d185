import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { ageInTrash, findGaps } from '../../src/engine/trash-age.ts';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const other = { userId: 'ben', keyId: 'k2', keyName: 'agent' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const hourMs = 3600_000;
const dayMs = 24 * hourMs;

/** Starts a synced folder with a pass every `restMs`. The other member works on the server. */
async function start(files: Readonly<Record<string, string>>, restMs = 10_000, trashBytesMax?: number) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(other.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: () => {},
    restMs,
    ...(trashBytesMax === undefined ? {} : { trashBytesMax }),
  });
  const { disk } = client;
  for (const [path, text] of Object.entries(files)) disk.writeFile(path, bytesOf(text));
  client.start();
  const settle = async () => {
    await time.run(4 * restMs + 60_000);
    assert.equal(client.failure(), null);
  };
  await settle();
  const at = (path: string) => {
    const workspacePath = parseWorkspacePath(path);
    const there = server.find(workspacePath, other.userId) ?? assert.fail(path);
    return { path: workspacePath, there };
  };
  return {
    time,
    server,
    client,
    disk,
    at,
    settle,
    /** The other member overwrites the file. */
    async writes(path: string, text: string) {
      const { path: to, there } = at(path);
      server.write(other, to, bytesOf(text), { kind: 'version', ...there }, null);
      await settle();
    },
    inTrash: async () => (await client.store().listTrash(100)).map(({ path }) => path),
    textsInTrash: () =>
      [...disk.walk()].flatMap(({ path, node }) =>
        node.kind === 'file' && path.startsWith('.stoa/trash/')
          ? [new TextDecoder().decode(node.inode.bytes)]
          : [],
      ),
  };
}

describe('a file in the trash', () => {
  it('stays for thirty days, even when the clock jumps, and is then deleted', async () => {
    const { client, time, writes, textsInTrash } = await start({ 'a.md': 'first' }, 12 * hourMs);
    await writes('a.md', 'second');
    assert.deepEqual(textsInTrash(), ['first']);
    for (const days of [365, -365, 365]) {
      client.jumpClock(days * dayMs);
      await time.run(2 * dayMs);
      assert.deepEqual(textsInTrash(), ['first'], `after ${days} days at once`);
    }
    await time.run(20 * dayMs);
    assert.deepEqual(textsInTrash(), ['first']);
    await time.run(9 * dayMs);
    assert.deepEqual(textsInTrash(), []);
  });

  it('is not deleted to free space in its first day, even when the clock jumps', async () => {
    const { client, time, writes, textsInTrash } = await start({ 'a.md': 'first' }, hourMs, 8);
    await writes('a.md', 'second');
    await writes('a.md', 'third');
    client.jumpClock(365 * dayMs);
    await time.run(10 * hourMs);
    assert.deepEqual(textsInTrash().sort(), ['first', 'second']);
    await time.run(10 * hourMs);
    assert.deepEqual(textsInTrash(), ['second']);
  });

  it('ages by at most a day during a gap between passes', () => {
    const gaps = findGaps([], 10 * dayMs, [{ at: 9 * dayMs }], 100 * dayMs);
    assert.deepEqual(gaps, [{ from: 10 * dayMs, to: 100 * dayMs }]);
    const days = (at: number, now: number) => ageInTrash(at * dayMs, gaps, now * dayMs).ageMs / dayMs;
    assert.deepEqual([days(9, 100), days(9, 103), days(101, 103)], [2, 5, 2]);
    // The clock is set back: older files keep their age, and files from the gap get a negative age.
    assert.deepEqual([days(9, 14), days(101, 14)], [5, -87]);
  });

  it('starts the gap when the clock jumped in the pass that trashed it', () => {
    const rows = [{ at: 3 * dayMs }, { at: 2.5 * dayMs }];
    assert.deepEqual(findGaps([], 2 * dayMs, rows, 400 * dayMs), [{ from: 3 * dayMs, to: 400 * dayMs }]);
  });

  it('does not count the overlap of two gaps twice', () => {
    const gaps = [
      { from: 1 * dayMs, to: 400 * dayMs },
      { from: 2 * dayMs, to: 402 * dayMs },
    ];
    assert.equal(ageInTrash(0, gaps, 403 * dayMs).ageMs, 3 * dayMs);
  });

  it('lets a gap be forgotten when no file is as old', () => {
    const gap = { from: 1 * dayMs, to: 9 * dayMs };
    assert.deepEqual(findGaps([gap], 9 * dayMs, [{ at: 0 }], 9.5 * dayMs), [gap]);
    assert.deepEqual(findGaps([gap], 9 * dayMs, [{ at: 9 * dayMs }], 9.5 * dayMs), []);
    assert.deepEqual(findGaps([gap], 9 * dayMs, [], 99 * dayMs), []);
  });
});

describe('a file that another member makes private', () => {
  it('leaves no earlier version in the trash, even after renames on either side', async () => {
    const { disk, server, at, settle, writes, inTrash, textsInTrash } = await start({
      'a.md': 'a first',
      'b.md': 'b first',
      'c.md': 'c first',
    });
    for (const name of ['a', 'b', 'c']) await writes(`${name}.md`, `${name} second`);
    server.move(other, at('a.md').path, parseWorkspacePath('a2.md'), null);
    await settle();
    disk.rename('b.md', 'b2.md');
    await settle();
    disk.rename('b2.md', 'b3.md');
    await settle();
    assert.deepEqual((await inTrash()).sort(), ['a2.md', 'b3.md', 'c.md']);
    for (const path of ['a2.md', 'b3.md']) server.setPrivate(other, parseWorkspacePath(path), true);
    await settle();
    assert.deepEqual(await inTrash(), ['c.md']);
    assert.deepEqual(textsInTrash(), ['c first']);
  });

  it('leaves no earlier version in the trash when it was edited or deleted locally', async () => {
    const { client, disk, server, settle, writes, textsInTrash } = await start({
      'a.md': 'a first',
      'b.md': 'b first',
    });
    for (const name of ['a', 'b']) await writes(`${name}.md`, `${name} second`);
    client.end();
    disk.writeFile('a.md', bytesOf('mine'));
    disk.unlink('b.md');
    for (const path of ['a.md', 'b.md']) server.setPrivate(other, parseWorkspacePath(path), true);
    client.start();
    await settle();
    assert.deepEqual(textsInTrash(), []);
  });

  it('keeps the trash of a deleted file that once had the same path', async () => {
    const { disk, server, at, settle, inTrash } = await start({ 'a.md': 'first file' });
    const { path, there } = at('a.md');
    server.delete(other, path, there);
    await settle();
    disk.writeFile('a.md', bytesOf('second file'));
    await settle();
    disk.rename('a.md', 'b.md');
    await settle();
    server.setPrivate(other, parseWorkspacePath('b.md'), true);
    await settle();
    assert.deepEqual(await inTrash(), ['a.md']);
  });
});
