import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
const minuteMs = 60_000;
const hundred = (byte: number) => new Uint8Array(100).fill(byte);

/** Starts a watched, synced folder with one file. Passes are frequent, as when others write all the time. */
async function start() {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const requests: { readonly name: string; readonly at: number }[] = [];
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (name) => {
      requests.push({ name, at: time.now() });
      return 'none';
    },
    trace: () => {},
    watches: true,
    restMs: 10_000,
  });
  client.disk.writeFile('a.bin', hundred(1));
  client.start();
  await client.untilQuiet();
  requests.length = 0;
  return {
    time,
    server,
    client,
    disk: client.disk,
    asked: (name: string) => requests.filter((each) => each.name === name),
    waits: async () => {
      const rows = await client.store().listLeftOut(100);
      return Object.fromEntries(rows.map(({ path, reason }) => [path, reason]));
    },
    has: (path: string) => server.filesFor(own.userId).has(parseWorkspacePath(path)),
  };
}

/** Asserts that requests are at least a minute apart. */
function assertRare(asked: readonly { readonly at: number }[]): void {
  for (const [index, { at }] of asked.entries()) {
    const before = asked[index - 1]?.at ?? Number.NEGATIVE_INFINITY;
    assert.ok(at - before >= minuteMs, `again after ${at - before} ms`);
  }
}

describe('a watch whose workspace rejects new files', () => {
  it('asks at most once a minute while read-only and uploads without a restart afterwards', async () => {
    const { time, server, disk, asked, waits, has } = await start();
    server.limits.isReadOnly = true;
    disk.writeFile('b.bin', hundred(2));
    disk.writeFile('c.bin', hundred(3));
    disk.makeFolder('empty');
    await time.run(40 * minuteMs);
    assert.deepEqual(await waits(), {
      'b.bin': 'read_only',
      'c.bin': 'read_only',
      'empty/.keep': 'read_only',
    });
    const { length: rejected } = asked('put');
    assert.ok(rejected <= 3, `${rejected} uploads`);
    assertRare(asked('facts'));
    assert.ok(asked('facts').length >= 4);
    disk.unlink('a.bin');
    await time.run(minuteMs);
    assert.equal(has('a.bin'), false);
    server.limits.isReadOnly = false;
    await time.run(16 * minuteMs);
    assert.deepEqual(await waits(), {});
    assert.deepEqual([has('b.bin'), has('c.bin'), has('empty/.keep')], [true, true, true]);
  });

  it('when full, uploads at once after a local delete and within five minutes otherwise', async () => {
    const { time, server, disk, asked, waits, has } = await start();
    server.limits.storageBytes = 150;
    disk.writeFile('b.bin', hundred(2));
    await time.run(12 * minuteMs);
    assert.deepEqual(await waits(), { 'b.bin': 'quota' });
    assertRare(asked('put'));
    assertRare(asked('facts'));
    disk.unlink('a.bin');
    await time.run(minuteMs);
    assert.deepEqual([has('a.bin'), has('b.bin')], [false, true]);
    disk.writeFile('c.bin', hundred(3));
    await time.run(minuteMs);
    assert.equal(has('c.bin'), false);
    server.limits.storageBytes = null;
    await time.run(5 * minuteMs);
    assert.equal(has('c.bin'), true);
  });

  it('still uploads edits when the file limit is reached', async () => {
    const { time, server, disk, waits, has } = await start();
    server.limits.files = 1;
    disk.writeFile('b.bin', hundred(2));
    await time.run(minuteMs);
    disk.writeFile('a.bin', hundred(4));
    await time.run(minuteMs);
    assert.deepEqual(await waits(), { 'b.bin': 'file_count' });
    assert.equal(server.find(parseWorkspacePath('a.bin'), own.userId)?.version, 2);
    server.limits.files = null;
    await time.run(6 * minuteMs);
    assert.equal(has('b.bin'), true);
  });

  it('does not overwrite a conflicting local text when the full server cannot store it', async () => {
    const { time, server, disk, asked, waits } = await start();
    disk.writeFile('a.bin', hundred(2));
    const seen = { kind: 'version', version: 1, contentHash: null } as const;
    server.write(agent, parseWorkspacePath('a.bin'), hundred(3), seen, null);
    server.limits.storageBytes = 100;
    await time.run(12 * minuteMs);
    assert.deepEqual(await waits(), { 'a.bin': 'conflict_unsaved' });
    const here = disk.find('a.bin');
    assert.equal(here?.kind === 'file' ? here.inode.bytes[0] : null, 2);
    assertRare(asked('put'));
    server.limits.storageBytes = null;
    await time.run(6 * minuteMs);
    assert.equal(server.filesFor(own.userId).size, 2);
  });

  it('retries a too large file after 1, 5 and 30 minutes', async () => {
    const { time, server, disk, asked, waits, has } = await start();
    server.limits.maxFileBytes = 50;
    disk.writeFile('b.bin', hundred(2));
    await time.run(10 * minuteMs);
    assert.deepEqual(await waits(), { 'b.bin': 'too_large' });
    assert.equal(asked('put').length, 3);
    server.limits.maxFileBytes = 1000;
    await time.run(31 * minuteMs);
    assert.equal(has('b.bin'), true);
  });
});
