import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
/** One workspace path in two Unicode forms. On this disk they are two names. */
const composed = 'caf\u00e9.md';
const decomposed = composed.normalize('NFD');
const path = parseWorkspacePath(composed);

/** Syncs a file with the decomposed name and stops the process. */
async function start() {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({ time, server, key: own, fault: () => 'none', trace: () => {} });
  const { disk } = client;
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  disk.writeFile(decomposed, bytesOf('old'));
  client.start();
  await client.untilQuiet();
  client.crash('process');
  return {
    disk,
    serves: (text: string) => {
      const seen = server.find(path, agent.userId) ?? assert.fail();
      server.write(agent, path, bytesOf(text), { kind: 'version', ...seen }, null);
    },
    deletes: () => server.delete(agent, path, server.find(path, agent.userId) ?? assert.fail()),
    async sync() {
      client.start();
      await client.untilQuiet();
      client.crash('process');
    },
    here: () =>
      [...disk.walk()].flatMap(({ path: name, node }) =>
        node.kind === 'file' && !name.startsWith('.stoa/') ? [[name, textOf(node.inode.bytes)]] : [],
      ),
    there: () => [...server.filesFor(own.userId).values()].map(({ bytes }) => textOf(bytes)).sort(),
  };
}

describe('a file that was renamed to the other Unicode form of its name', () => {
  it('is sent when it was edited', async () => {
    const { disk, sync, here, there } = await start();
    disk.unlink(decomposed);
    disk.writeFile(composed, bytesOf('new'));
    await sync();
    assert.deepEqual(there(), ['new']);
    assert.deepEqual(here(), [[composed, 'new']]);
  });

  it('is updated when it was edited on the server', async () => {
    const { disk, serves, sync, here, there } = await start();
    disk.rename(decomposed, composed);
    serves('theirs');
    await sync();
    assert.deepEqual(here(), [[composed, 'theirs']]);
    assert.deepEqual(there(), ['theirs']);
  });

  it('is deleted when it was deleted on the server', async () => {
    const { disk, deletes, sync, here, there } = await start();
    disk.rename(decomposed, composed);
    deletes();
    await sync();
    assert.deepEqual([here(), there()], [[], []]);
  });

  it('keeps both texts when it was edited on both sides', async () => {
    const { disk, serves, sync, here, there } = await start();
    disk.rename(decomposed, composed);
    disk.writeFile(composed, bytesOf('mine'));
    serves('theirs');
    await sync();
    assert.deepEqual(there(), ['mine', 'theirs']);
    assert.deepEqual(
      here()
        .map(([, text]) => text)
        .sort(),
      ['mine', 'theirs'],
    );
    assert.equal(new TextDecoder().decode(disk.readFile(composed)), 'theirs');
  });
});

it('a new file in the other Unicode form is sent after a delete', async () => {
  const { disk, deletes, sync, here, there } = await start();
  deletes();
  await sync();
  assert.deepEqual(here(), []);
  disk.writeFile(decomposed, bytesOf('mine'));
  await sync();
  assert.deepEqual([here(), there()], [[[decomposed, 'mine']], ['mine']]);
});
