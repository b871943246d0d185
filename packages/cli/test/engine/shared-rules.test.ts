import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
const rulesPath = parseWorkspacePath('.stoaignore');

function start() {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({ time, server, key: own, fault: () => 'none', trace: () => {} });
  const { disk } = client;
  return {
    client,
    server,
    disk,
    /** Waits until earlier writes are old enough for their stamps to be trusted. */
    rest: () => time.run(5000),
    write(path: string, text: string) {
      disk.makeFolders(path.split('/').slice(0, -1).join('/'));
      disk.writeFile(path, bytesOf(text));
    },
    /** Writes the shared rules as another member. */
    rules(text: string) {
      const there = server.find(rulesPath, agent.userId);
      const seen = there === null ? ({ kind: 'absent' } as const) : ({ kind: 'version', ...there } as const);
      server.write(agent, rulesPath, bytesOf(text), seen, null);
    },
    /** Runs `act` once, when the bytes of a file are read. */
    whenRead(path: string, act: () => void) {
      disk.fault = (what, each) => {
        if (what !== 'read' || each !== path) return null;
        disk.fault = () => null;
        queueMicrotask(act);
        return null;
      };
    },
    there: () => [...server.filesFor(own.userId).keys()].sort(),
    /** Returns all changes in the feed. */
    reported: () =>
      server
        .readChanges(own.userId, 0, 1000)
        .changes.map(({ op, path }) => `${op} ${path}`)
        .sort(),
    skipped: async () => {
      const rows = await client.store().listLeftOut(100);
      return Object.fromEntries(rows.map(({ path, reason }) => [path, reason]));
    },
  };
}

describe('shared rules of other members', () => {
  it('apply from the first sync of a folder with files, so that ignored files are not sent', async () => {
    const world = start();
    world.rules('secret.env\nbuild/\n');
    for (const path of ['secret.env', 'build/a.o', 'notes.md']) world.write(path, path);
    world.client.start();
    await world.client.untilQuiet();
    assert.deepEqual(world.reported(), ['write notes.md']);
  });

  it('apply when both sides have different rules, so that ignored files are not sent', async () => {
    const world = start();
    world.rules('secret.env\n');
    for (const path of ['secret.env', 'notes.md']) world.write(path, path);
    world.write('.stoaignore', '*.log\n');
    world.client.start();
    await world.client.untilQuiet();
    assert.equal(
      world.there().some((path) => path === 'secret.env'),
      false,
    );
    assert.equal(world.there().length, 3);
  });

  it('that unignore a local file wait for acceptance, even after the user edits them', async () => {
    const world = start();
    world.rules('secret.env\n');
    for (const path of ['secret.env', 'notes.md']) world.write(path, path);
    world.client.start();
    await world.client.untilQuiet();
    world.rules('\n');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), { 'secret.env': 'newly_unignored' });
    world.write('.stoaignore', '\n*.log\n');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), { 'secret.env': 'newly_unignored' });
    assert.deepEqual(world.there(), ['.stoaignore', 'notes.md']);
  });
});

describe('rules of other members that would remove files', () => {
  async function started() {
    const world = start();
    for (const path of ['doc.md', 'a/notes.md', 'x.tmp']) world.write(path, path);
    world.client.start();
    await world.client.untilQuiet();
    return world;
  }
  const textThere = (world: ReturnType<typeof start>, path: string) =>
    new TextDecoder().decode(world.server.find(parseWorkspacePath(path), own.userId)?.bytes);

  it('wait for acceptance while the old rules apply', async () => {
    const world = await started();
    world.rules('*\n');
    await world.client.untilQuiet();
    world.write('doc.md', 'edited');
    world.write('mine.md', 'new');
    await world.client.untilQuiet();
    assert.equal(textThere(world, 'doc.md'), 'edited');
    assert.equal(textThere(world, 'mine.md'), 'new');
    assert.deepEqual(await world.skipped(), {
      'doc.md': 'newly_ignored',
      'a/notes.md': 'newly_ignored',
      'x.tmp': 'newly_ignored',
      'mine.md': 'newly_ignored',
    });
    // The rules still wait after a restart.
    world.client.crash('process');
    world.client.start();
    await world.client.untilQuiet();
    assert.equal((await world.skipped())['doc.md'], 'newly_ignored');
  });

  it('apply at once when they remove nothing', async () => {
    const world = await started();
    world.rules('*.log\n');
    await world.client.untilQuiet();
    world.write('app.log', 'x');
    await world.client.untilQuiet();
    assert.equal(world.there().includes(parseWorkspacePath('app.log')), false);
  });

  it('do not delay rules that the user writes, which apply at once', async () => {
    const world = await started();
    world.write('.stoaignore', '*.tmp\n');
    world.write('x.tmp', 'edited');
    await world.client.untilQuiet();
    assert.equal(textThere(world, 'x.tmp'), 'x.tmp');
    world.rules('*.tmp\ndoc.md\n');
    await world.client.untilQuiet();
    world.write('.stoaignore', '*.tmp\ndoc.md\nsecret.env\n');
    world.write('secret.env', 'secret');
    world.write('doc.md', 'edited');
    await world.client.untilQuiet();
    world.write('other/secret.env', 'secret');
    await world.client.untilQuiet();
    assert.equal(textThere(world, 'doc.md'), 'edited');
    assert.equal(
      world.there().some((path) => path.endsWith('secret.env')),
      false,
    );
    assert.equal((await world.skipped())['doc.md'], 'newly_ignored');
  });

  it('stop waiting when the other member reverts them', async () => {
    const world = await started();
    world.rules('*\n');
    await world.client.untilQuiet();
    world.rules('\n');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), {});
  });
});

describe('rules that change during a scan', () => {
  it('and unignore files delete nothing on the server', async () => {
    const world = start();
    for (const path of ['build/deep/a.o', 'notes.md']) world.write(path, path);
    world.disk.makeFolders('build/empty');
    world.client.start();
    await world.client.untilQuiet();
    world.write('.stoa/ignore', 'build/\n');
    await world.client.untilQuiet();
    world.client.crash('process');
    world.write('notes.md', 'edited');
    await world.rest();
    world.whenRead('notes.md', () => world.write('.stoa/ignore', ''));
    world.client.start();
    await world.client.untilQuiet();
    assert.deepEqual(
      world.reported().filter((each) => !each.startsWith('write')),
      [],
    );
    assert.deepEqual(world.there(), ['build/deep/a.o', 'build/empty/.keep', 'notes.md']);
  });

  it('and are empty for a moment send no ignored file', async () => {
    const world = start();
    for (const path of ['secret.env', 'notes.md']) world.write(path, path);
    world.write('.stoa/ignore', 'secret.env\n');
    world.client.start();
    await world.client.untilQuiet();
    world.client.crash('process');
    world.write('notes.md', 'edited');
    await world.rest();
    world.write('.stoa/ignore', '');
    world.whenRead('notes.md', () => world.write('.stoa/ignore', 'secret.env\n'));
    world.client.start();
    await world.client.untilQuiet();
    assert.deepEqual(world.reported(), ['write notes.md', 'write notes.md']);
  });
});
