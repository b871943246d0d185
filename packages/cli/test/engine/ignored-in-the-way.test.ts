import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { plainDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const folding = { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' } as const;
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

/** Starts a folder with private ignore rules, on a disk that folds case or does not. */
function start(rules: string, { folds }: { readonly folds: boolean }) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  let fetched = 0;
  const client = createSimulatedClient({
    time,
    server,
    key: { userId: 'ada', keyId: 'k1', keyName: 'service-cli' },
    disk: folds ? { names: folding } : plainDisk,
    fault: () => 'none',
    trace: () => {},
    onStep: (name) => {
      if (name === 'download: get') fetched += 1;
    },
  });
  client.disk.writeFile('.stoa/ignore', bytesOf(rules));
  client.start();
  return {
    disk: client.disk,
    untilQuiet: () => client.untilQuiet(),
    fetched: () => fetched,
    serve: (path: string) =>
      server.write(agent, parseWorkspacePath(path), bytesOf(path), { kind: 'absent' }, null),
    serveMoved: (from: string, to: string) =>
      server.move(agent, parseWorkspacePath(from), parseWorkspacePath(to), null),
    there: () => [...server.filesFor('ada').keys()].sort(),
    write: (path: string) => {
      client.disk.makeFolders(path.split('/').slice(0, -1).join('/'));
      client.disk.writeFile(path, bytesOf(`${path}, mine`));
    },
    read: (path: string) => new TextDecoder().decode(client.disk.readFile(path)),
    trashed: () =>
      [...client.disk.walk()].flatMap(({ path, node }) =>
        path.startsWith('.stoa/trash/') && node.kind === 'file'
          ? [new TextDecoder().decode(node.inode.bytes)]
          : [],
      ),
    skipped: async () => {
      const rows = await client.store().listLeftOut(100);
      return rows.map(({ path, reason, detail }) => `${path}: ${reason} ${detail}`);
    },
  };
}

describe('an ignored item that occupies a path', () => {
  it('blocks a file whose name differs in case, which is reported and not fetched', async () => {
    const world = start('*.log', { folds: true });
    world.write('run.log');
    world.serve('RUN.LOG');
    await world.untilQuiet();
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), ['RUN.LOG: case_collision run.log']);
    assert.equal(world.fetched(), 0);
    assert.equal(world.read('run.log'), 'run.log, mine');
    assert.deepEqual(world.there(), ['RUN.LOG']);

    world.disk.unlink('run.log');
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), []);
    assert.equal(world.read('RUN.LOG'), 'RUN.LOG');
  });

  it('keeps downloads out of an ignored folder, where they would count as deleted', async () => {
    const world = start('build/', { folds: true });
    world.write('build/a.o');
    world.serve('Build/notes/plan.md');
    await world.untilQuiet();
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), ['Build/notes/plan.md: case_collision build']);
    assert.deepEqual(world.there(), ['Build/notes/plan.md']);
    assert.equal(world.fetched(), 0);
    assert.equal(world.disk.find('build/notes'), null);

    world.disk.remove('build');
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), []);
    assert.equal(world.read('Build/notes/plan.md'), 'Build/notes/plan.md');
  });

  it('blocks the new name of a renamed file, whose local content goes to the trash', async () => {
    const world = start('*.log', { folds: true });
    world.write('run.log');
    world.write('notes.md');
    await world.untilQuiet();
    world.serveMoved('notes.md', 'RUN.LOG');
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), ['RUN.LOG: case_collision run.log']);
    assert.equal(world.read('run.log'), 'run.log, mine');
    assert.deepEqual(world.there(), ['RUN.LOG']);
    assert.equal(world.fetched(), 0);
    assert.deepEqual(world.trashed(), ['notes.md, mine']);
  });

  it('is not treated as deleted after a rename to an ignored name', async () => {
    const world = start('*.log\nbuild/', { folds: true });
    world.write('RUN.LOG');
    world.write('Build/notes/plan.md');
    await world.untilQuiet();
    const both = ['Build/notes/plan.md', 'RUN.LOG'];
    assert.deepEqual(world.there(), both);
    world.disk.rename('RUN.LOG', 'run.log');
    world.disk.rename('Build', 'build');
    await world.untilQuiet();
    await world.untilQuiet();
    assert.deepEqual(world.there(), both);
    assert.deepEqual(await world.skipped(), [
      'Build/notes/plan.md: case_collision build',
      'RUN.LOG: case_collision run.log',
    ]);

    world.disk.rename('run.log', 'RUN.LOG');
    world.disk.remove('build');
    await world.untilQuiet();
    assert.deepEqual(world.there(), ['RUN.LOG']);
    assert.deepEqual(await world.skipped(), []);
  });

  for (const folds of [false, true]) {
    const where = folds ? 'that folds case' : 'that is case-sensitive';
    it(`blocks a file where an ignored folder is, on a disk ${where}`, async () => {
      const world = start('out/', { folds });
      world.write('out/a.o');
      world.serve('out');
      await world.untilQuiet();
      await world.untilQuiet();
      assert.deepEqual(await world.skipped(), ['out: blocked ignored folder']);
      assert.equal(world.fetched(), 0);
      assert.equal(world.read('out/a.o'), 'out/a.o, mine');

      world.disk.rename('out', 'kept~');
      await world.untilQuiet();
      assert.deepEqual(await world.skipped(), []);
      assert.equal(world.read('out'), 'out');
    });

    it(`blocks a folder where an ignored file is, on a disk ${where}`, async () => {
      const world = start('*.d\n!*.d/', { folds });
      world.write('conf.d');
      world.serve('conf.d/a.md');
      await world.untilQuiet();
      await world.untilQuiet();
      assert.deepEqual(await world.skipped(), ['conf.d/a.md: blocked ignored file']);
      assert.equal(world.fetched(), 0);
      assert.deepEqual(world.there(), ['conf.d/a.md']);

      world.disk.unlink('conf.d');
      await world.untilQuiet();
      assert.equal(world.read('conf.d/a.md'), 'conf.d/a.md');
    });
  }
});
