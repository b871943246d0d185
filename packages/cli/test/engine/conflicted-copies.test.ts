import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import type { StateChange } from '../../src/engine/ports/state-store.ts';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import type { SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { moveSimulatedFolder, SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const docs = parseWorkspacePath('docs/a.md');
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

const stateLost: readonly StateChange[] = [
  { table: 'all', kind: 'clear' },
  { table: 'meta', values: { phase: null } },
];

function removeCopies(disk: SimulatedDisk, of: string): void {
  for (const { path } of [...disk.walk()]) if (path.startsWith(`${of} (`)) disk.remove(path);
}

/** Starts a folder with one conflicted copy of `docs/a.md`. */
async function start({
  onStep = () => {},
  onEvent = () => {},
}: {
  readonly onStep?: (name: string, disk: SimulatedDisk) => void;
  readonly onEvent?: (line: string, disk: SimulatedDisk) => void;
} = {}) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: (line) => onEvent(line, client.disk),
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

describe('a conflicted copy', () => {
  it('is still listed after its folder was renamed locally', async () => {
    const { client, disk, conflicts } = await start();
    disk.rename('docs', 'notes');
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), [['notes/a copy.md', 'notes/a.md']]);
  });

  it('has the losing text when the file is written while the copy is made', async () => {
    let isWritten = false;
    const { disk, server } = await start({
      onStep: (name, on) => {
        if (name !== 'replace: staged is flushed' || isWritten) return;
        isWritten = true;
        on.writeFile('docs/a.md', bytesOf('mine again'));
      },
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

  it('is still listed after its folder was moved on the server', async () => {
    const { client, server, conflicts } = await start();
    moveSimulatedFolder(server, agent, parseWorkspacePath('docs'), parseWorkspacePath('notes'));
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), [['notes/a copy.md', 'notes/a.md']]);
  });

  it('is still listed when a page of the feed ends between the two records of that move', async () => {
    const { client, server, conflicts } = await start();
    const readChanges = server.readChanges.bind(server);
    server.readChanges = (userId, since, limit) => readChanges(userId, since, Math.min(limit, 1));
    moveSimulatedFolder(server, agent, parseWorkspacePath('docs'), parseWorkspacePath('notes'));
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), [['notes/a copy.md', 'notes/a.md']]);
  });

  it('is listed after a local rename to a taken name, until it is deleted', async () => {
    const { client, disk, server, conflicts } = await start();
    disk.writeFile('b.md', bytesOf('mine'));
    await client.untilQuiet();
    server.write(agent, parseWorkspacePath('taken.md'), bytesOf('first'), { kind: 'absent' }, null);
    disk.rename('b.md', 'taken.md');
    await client.untilQuiet();
    const both = [
      ['docs/a copy.md', 'docs/a.md'],
      ['taken copy.md', 'taken.md'],
    ];
    assert.deepEqual(await conflicts(), both);

    void client.store().commit(stateLost, 'grouped');
    await client.store().flush();
    client.crash('process');
    client.start();
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), both, 'by their names, once the state is lost');

    removeCopies(disk, 'taken');
    await client.untilQuiet();
    assert.deepEqual(await conflicts(), both.slice(0, 1));
  });

  it('is listed when a local file blocked a folder, unless it was deleted before the upload', async () => {
    let leaving: string | null = null;
    const { client, disk, server, conflicts } = await start({
      onEvent: (line, on) => {
        if (leaving !== null && line.includes('"conflict"')) removeCopies(on, leaving);
      },
    });
    for (const way of ['stays', 'goes']) {
      if (way === 'goes') leaving = way;
      server.write(agent, parseWorkspacePath(`${way}/b.md`), bytesOf('below'), { kind: 'absent' }, null);
      disk.writeFile(way, bytesOf(way));
      await client.untilQuiet();
    }
    assert.deepEqual(await conflicts(), [
      ['docs/a copy.md', 'docs/a.md'],
      ['stays copy', 'stays'],
    ]);
  });

  for (const [when, isLocation] of [
    ['replace: old one has its name in the trash', (path: string) => path === 'late.md'],
    [
      'replace: new one is in place',
      (path: string) => path.startsWith('.stoa/trash/') && path.includes('late'),
    ],
  ] as const) {
    it(`is listed when it contains a write to a file during its replacement (${when})`, async () => {
      const { client, disk, server, conflicts } = await start({
        onStep: (name, on) => {
          if (name !== when) return;
          for (const { path, node } of [...on.walk()])
            if (node.kind === 'file' && isLocation(path)) on.writeFile(path, bytesOf('written late'));
        },
      });
      disk.writeFile('late.md', bytesOf('one'));
      await client.untilQuiet();
      const late = parseWorkspacePath('late.md');
      server.write(agent, late, bytesOf('two'), { kind: 'version', version: 1, contentHash: null }, null);
      await client.untilQuiet();
      assert.deepEqual(await conflicts(), [
        ['docs/a copy.md', 'docs/a.md'],
        ['late copy.md', 'late.md'],
      ]);
    });
  }

  it('is stored once when two members rename one file to a taken name', async () => {
    const taken = parseWorkspacePath('taken.md');
    let isDone = false;
    const { client, disk, server } = await start({
      onStep: (name) => {
        if (name !== 'set aside: here' || isDone) return;
        isDone = true;
        // The other member's rename loses in the same way and deletes the old name.
        const theirs = server.find(docs, own.userId);
        assert.ok(theirs);
        server.write(agent, taken, theirs.bytes, { kind: 'absent' }, null);
        server.delete(agent, docs, theirs);
      },
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
