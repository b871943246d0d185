import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
/** One path of a workspace, as two systems spell it: on this disk they are two names. */
const composed = 'caf\u00e9.md';
const decomposed = composed.normalize('NFD');
const path = parseWorkspacePath(composed);

/** A file with the decomposed name, in sync, and nobody at work. */
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

describe('a file that got the other spelling of its name', () => {
  it('and was edited as well: the edit is sent', async () => {
    const { disk, sync, here, there } = await start();
    disk.unlink(decomposed);
    disk.writeFile(composed, bytesOf('new'));
    await sync();
    assert.deepEqual(there(), ['new']);
    assert.deepEqual(here(), [[composed, 'new']]);
  });

  it('and was edited there: what is there comes', async () => {
    const { disk, serves, sync, here, there } = await start();
    disk.rename(decomposed, composed);
    serves('theirs');
    await sync();
    assert.deepEqual(here(), [[composed, 'theirs']]);
    assert.deepEqual(there(), ['theirs']);
  });

  it('and was deleted there: it goes', async () => {
    const { disk, deletes, sync, here, there } = await start();
    disk.rename(decomposed, composed);
    deletes();
    await sync();
    assert.deepEqual([here(), there()], [[], []]);
  });

  it('and was edited on both sides: both texts stay', async () => {
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

it('a new file with another spelling than the server has: both texts stay', async () => {
  const { disk, deletes, sync, here, there } = await start();
  deletes();
  await sync();
  assert.deepEqual(here(), []);
  disk.writeFile(decomposed, bytesOf('mine'));
  await sync();
  assert.deepEqual([here(), there()], [[[decomposed, 'mine']], ['mine']]);
});
