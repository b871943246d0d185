import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const other = { userId: 'ben', keyId: 'k2', keyName: 'agent' };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A folder in sync, whose passes come every so often; the other member works on the server. */
async function start(files: Readonly<Record<string, string>>) {
  const restMs = 10_000;
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
    /** The other member writes over what is there. */
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

describe('what somebody makes private', () => {
  it('leaves no earlier byte in the trash, also where it was renamed since, there and here', async () => {
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

  it('leaves none either where it was edited or deleted here meanwhile', async () => {
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

  it('takes nothing along that was deleted before, at a path that another file had since', async () => {
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
