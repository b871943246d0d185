import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import type { SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { moveSimulatedFolder, SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const docs = parseWorkspacePath('docs/a.md');
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

/** A folder with one conflicted copy of `docs/a.md`. */
async function start(onStep: (name: string, disk: SimulatedDisk) => void = () => {}) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: () => {},
    onStep: (name) => onStep(name, client.disk),
  });
  client.disk.makeFolders('docs');
  client.disk.writeFile('docs/a.md', bytesOf('old'));
  client.start();
  await client.untilQuiet();
  client.disk.writeFile('docs/a.md', bytesOf('mine'));
  server.write(agent, docs, bytesOf('theirs'), { kind: 'version', version: 1, contentHash: null }, null);
  await client.untilQuiet();
  const conflicts = async () =>
    (await client.store().listConflicts(10)).map(({ copyPath, ofPath }) => [
      copyPath.replace(/ \(conflicted copy .*\)/, ' copy'),
      ofPath,
    ]);
  return { client, disk: client.disk, server, conflicts };
}

describe('a conflicted copy is known as one', () => {
  it('after its folder was renamed here', async () => {
    const { client, disk, conflicts } = await start();
    disk.rename('docs', 'notes');
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), [['notes/a copy.md', 'notes/a.md']]);
  });

  it('and has the text that lost, though the file was written while it got that name', async () => {
    let isWritten = false;
    const { disk, server } = await start((name, on) => {
      if (name !== 'replace: staged is flushed' || isWritten) return;
      isWritten = true;
      on.writeFile('docs/a.md', bytesOf('mine again'));
    });
    const texts = (files: Iterable<{ readonly bytes: Uint8Array }>) =>
      [...files].map(({ bytes }) => new TextDecoder().decode(bytes)).sort();
    const expected = ['mine', 'mine again', 'theirs'];
    assert.deepEqual(texts(server.filesFor(own.userId).values()), expected);
    const here = [...disk.walk()].flatMap(({ path, node }) =>
      node.kind === 'file' && path.startsWith('docs/') ? [node.inode] : [],
    );
    assert.deepEqual(texts(here), expected);
  });

  it('after its folder was moved on the server', async () => {
    const { client, server, conflicts } = await start();
    moveSimulatedFolder(server, agent, parseWorkspacePath('docs'), parseWorkspacePath('notes'));
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), [['notes/a copy.md', 'notes/a.md']]);
  });

  it('and is the only one, where two people gave one file a name that was taken', async () => {
    const taken = parseWorkspacePath('taken.md');
    let isDone = false;
    const { client, disk, server } = await start((name) => {
      if (name !== 'set aside: here' || isDone) return;
      isDone = true;
      // The other one's rename: it loses in the same way, and their old name goes.
      const theirs = server.find(docs, own.userId);
      assert.ok(theirs);
      server.write(agent, taken, theirs.bytes, { kind: 'absent' }, null);
      server.delete(agent, docs, theirs);
    });
    server.write(agent, taken, bytesOf('first'), { kind: 'absent' }, null);
    disk.rename('docs/a.md', 'taken.md');
    await client.untilQuiet();
    assert.ok(isDone);
    const there = [...server.filesFor(own.userId)].flatMap(([path, { bytes }]) =>
      path.startsWith('taken') ? [new TextDecoder().decode(bytes)] : [],
    );
    assert.deepEqual(there.sort(), ['first', 'theirs']);
    assert.deepEqual(
      [...disk.walk()].flatMap(({ path, node }) =>
        node.kind === 'file' && path.startsWith('taken') ? [path] : [],
      ).length,
      2,
    );
  });
});
