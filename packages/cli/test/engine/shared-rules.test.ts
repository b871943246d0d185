import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { acceptedRules } from '../../src/engine/observe/active-rules.ts';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
const rulesPath = parseWorkspacePath('.stoaignore');

function start({ watches = false } = {}) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: () => 'none',
    trace: () => {},
    watches,
  });
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

describe('rules of other members that apply because they removed nothing', () => {
  async function started(rules: string, watches = false) {
    const world = start({ watches });
    for (const path of ['doc.md', 'a/notes.md', 'a/more.md', 'b/c.md']) world.write(path, path);
    world.client.start();
    await world.client.untilQuiet();
    world.rules(rules);
    await world.client.untilQuiet();
    await world.rest();
    return world;
  }
  const files = ['.stoaignore', 'a/more.md', 'a/notes.md', 'b/c.md', 'doc.md'];
  /** As `stoa ignore accept` does. */
  const accept = async (world: ReturnType<typeof start>) => {
    const shared = new TextDecoder().decode(world.disk.readFile('.stoaignore'));
    const values = acceptedRules({ texts: { shared, private: null } });
    void world.client.store().commit([{ table: 'meta', values }], 'durable');
    await world.rest();
    world.client.crash('process');
    world.client.start();
  };

  for (const watches of [false, true]) {
    for (const [what, rules, from, to, gone] of [
      ['file', '*.old\n', 'doc.md', 'doc.old', ['doc.md']],
      ['file in another folder', '*.old\n', 'a/notes.md', 'b/notes.old', ['a/notes.md']],
      ['folder', 'old/\n', 'a', 'old', ['a/more.md', 'a/notes.md']],
    ] as const) {
      const command = watches ? 'a watch' : 'a sync';
      it(`delete no ${what} that ${command} finds under an ignored name before they are accepted`, async () => {
        const world = await started(rules, watches);
        world.disk.rename(from, to);
        await world.client.untilQuiet();
        assert.deepEqual(world.there(), files);
        assert.deepEqual(await world.skipped(), { [to]: 'newly_ignored' });
        await accept(world);
        await world.client.untilQuiet();
        assert.deepEqual(
          world.there(),
          files.filter((path) => !gone.some((each) => each === path)),
        );
        assert.deepEqual(await world.skipped(), {});
      });
    }
  }

  it('keep a file that was renamed and edited before they came', async () => {
    const world = await started('*.tmp\n');
    world.client.crash('process');
    world.rules('*.tmp\n*.old\n');
    world.disk.rename('doc.md', 'doc.old');
    world.write('doc.old', 'edited');
    world.client.start();
    await world.client.untilQuiet();
    assert.deepEqual(world.there(), files);
    assert.deepEqual(await world.skipped(), { 'doc.old': 'newly_ignored' });
  });

  it('stop waiting when the user reverts the name or removes the rule', async () => {
    const world = await started('*.old\n');
    world.disk.rename('doc.md', 'doc.old');
    await world.client.untilQuiet();
    world.disk.rename('doc.old', 'doc.md');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), {});
    world.disk.rename('doc.md', 'doc.old');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), { 'doc.old': 'newly_ignored' });
    world.write('.stoaignore', '');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), {});
    assert.deepEqual(world.there().at(-1), 'doc.old');
    assert.equal(world.reported().filter((each) => each.startsWith('delete')).length, 1);
  });

  it('are not accepted by the lines that the user adds', async () => {
    const world = await started('*.old\n');
    world.write('.stoaignore', '*.old\n*.mine\n');
    await world.client.untilQuiet();
    world.disk.rename('doc.md', 'doc.old');
    world.disk.rename('b/c.md', 'b/c.mine');
    await world.client.untilQuiet();
    assert.deepEqual(await world.skipped(), { 'doc.old': 'newly_ignored' });
    assert.deepEqual(
      world.there(),
      files.filter((path) => path !== 'b/c.md'),
    );
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
