import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ObjectId, parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import type { DiskOptions } from '../simulated/simulated-disk.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { moveSimulatedFolder, SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const folding = { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' } as const;
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

function start(disk: Partial<DiskOptions> = {}, onStep: (name: string) => void = () => {}) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(agent.userId);
  const client = createSimulatedClient({
    time,
    server,
    key: { userId: 'ada', keyId: 'k1', keyName: 'service-cli' },
    disk,
    fault: () => 'none',
    trace: () => {},
    onStep,
  });
  return {
    server,
    disk: client.disk,
    start: () => client.start(),
    crash: () => client.crash('process'),
    store: () => client.store(),
    untilQuiet: () => client.untilQuiet(),
    serve: (path: string, text = path) =>
      server.write(agent, parseWorkspacePath(path), bytesOf(text), { kind: 'absent' }, null),
    write: (path: string, text: string) => {
      client.disk.makeFolders(path.split('/').slice(0, -1).join('/'));
      client.disk.writeFile(path, bytesOf(text));
    },
    files: () =>
      [...client.disk.walk()]
        .filter(({ node }) => node.kind === 'file')
        .map(({ path }) => path)
        .sort(),
    leftOut: async () => {
      const rows = await client.store().listLeftOut(100);
      return Object.fromEntries(rows.map(({ path, reason }) => [path, reason]));
    },
  };
}

describe('names that a server may send', () => {
  it('write neither what runs commands nor what names another server', async () => {
    const world = start();
    const hostile = [
      '.stoa/config.json',
      '.STOA/state.db',
      '.st\u200coa/x',
      'sub/.stoa/config.json',
      '.git/config',
      'sub/.GIT/hooks/post-checkout',
      'git~1/config',
      'STOA~1/config.json',
      '.git. /config',
    ];
    for (const path of hostile) world.serve(path, 'hostile');
    world.serve('fine.md');
    world.start();
    await world.untilQuiet();
    assert.deepEqual(world.files(), ['.stoa/config.json', 'fine.md']);
    assert.equal(new TextDecoder().decode(world.disk.readFile('.stoa/config.json')), '{}');
    const leftOut = await world.leftOut();
    for (const path of hostile) assert.equal(leftOut[path], 'hostile_name', path);
    // Nothing of it is taken for deleted.
    assert.equal(world.server.filesFor('ada').size, hostile.length + 1);
  });

  it('that a disk cannot hold stay where they are', async () => {
    const world = start({ names: { foldsCase: true, unicodeForm: 'folded', forbids: 'windows' } });
    const impossible = ['CON.md', 'a:stream', 'what?.md', 'dot.', 'docs/nul.txt'];
    for (const path of [...impossible, 'Case.md', 'case.md', 'fine.md']) world.serve(path);
    world.start();
    await world.untilQuiet();
    const visible = world.files().filter((path) => !path.startsWith('.stoa/'));
    assert.deepEqual(visible, ['Case.md', 'fine.md']);
    const leftOut = await world.leftOut();
    for (const path of impossible) assert.equal(leftOut[path], 'name_not_possible', path);
    assert.equal(leftOut['case.md'], 'case_collision');
    assert.equal(world.server.filesFor('ada').size, impossible.length + 3);
  });

  it('that only change their letters change them on a disk that folds case, too: a file as a folder', async () => {
    const world = start({ names: folding });
    for (const path of ['docs/sub/a.md', 'docs/b.md', 'c.md']) world.serve(path);
    world.start();
    await world.untilQuiet();
    const [docs, renamed] = [parseWorkspacePath('docs'), parseWorkspacePath('Docs')];
    moveSimulatedFolder(world.server, agent, docs, renamed);
    world.server.move(agent, parseWorkspacePath('c.md'), parseWorkspacePath('C.md'), null);
    await world.untilQuiet();
    const expected = ['C.md', 'Docs/b.md', 'Docs/sub/a.md'];
    assert.deepEqual(
      world.files().filter((path) => !path.startsWith('.stoa/')),
      expected,
    );
    assert.deepEqual([...world.server.filesFor('ada').keys()].sort(), expected);
  });

  it('are not missing when the folder was carried to a disk that does other things to names', async () => {
    const world = start();
    for (const path of ['a.md', 'b.md']) world.serve(path);
    world.start();
    await world.untilQuiet();
    world.crash();
    // As if it had come from another disk, and one file could not come along.
    const store = world.store();
    const { meta } = await store.load();
    const { traits } = meta;
    assert.ok(traits !== null);
    const values = { root: 'another root' as ObjectId, traits: { ...traits, names: folding } };
    // No time passes now, which a commit would wait for.
    void store.commit([{ table: 'meta', values }], 'grouped');
    await store.flush();
    world.disk.unlink('b.md');
    world.start();
    await world.untilQuiet();
    assert.deepEqual([...world.server.filesFor('ada').keys()].sort(), ['a.md', 'b.md']);
    assert.notEqual(world.disk.find('b.md'), null);
  });
});

describe('a disk that fails', () => {
  it('what cannot be read is not deleted there, and goes on when it can', async () => {
    const world = start();
    for (const name of ['a', 'b', 'c']) world.write(`docs/${name}.md`, name);
    world.write('other.md', 'other');
    world.start();
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').size, 4);
    world.disk.fault = (_act, path) => (path === 'docs' || path.startsWith('docs/') ? 'EACCES' : null);
    world.write('other.md', 'edited');
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').size, 4);
    assert.equal((await world.leftOut()).docs, 'unreadable');
    world.disk.fault = () => null;
    world.disk.unlink('docs/a.md');
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('docs/a.md')), false);
    assert.equal(world.server.filesFor('ada').size, 3);
  });

  it('that cannot be read at its root is told of, and nothing in it is missing', async () => {
    const world = start();
    for (const path of ['a.md', 'docs/b.md']) world.write(path, path);
    world.start();
    await world.untilQuiet();
    world.disk.fault = (act, path) => (act === 'read' && path === '' ? 'EIO' : null);
    world.server.delete(agent, parseWorkspacePath('a.md'), { version: 1, contentHash: null });
    await world.untilQuiet();
    assert.equal((await world.leftOut())['.'], 'unreadable');
    world.disk.fault = () => null;
    await world.untilQuiet();
    assert.deepEqual(await world.leftOut(), {});
    assert.deepEqual([...world.server.filesFor('ada').keys()], ['docs/b.md']);
    assert.equal(world.disk.find('a.md'), null);
  });

  for (const [where, disk] of [
    ['', {}],
    [', on one that folds case as well', { names: folding }],
  ] as const) {
    it(`a file that is there again in the last moment is not deleted there${where}`, async () => {
      let isSaved = false;
      const world = start(disk, (name) => {
        if (name !== 'delete: ask' || isSaved) return;
        isSaved = true;
        world.write('a.md', 'saved');
      });
      world.write('a.md', 'old');
      world.start();
      await world.untilQuiet();
      world.disk.unlink('a.md');
      await world.untilQuiet();
      assert.equal(isSaved, true);
      // The next version of the same file: its comments and history stay.
      assert.equal(world.server.find(parseWorkspacePath('a.md'), 'ada')?.version, 2);
    });
  }

  it('a file in whose place there is a link in the last moment is not deleted there', async () => {
    const world = start({}, (name) => {
      if (name === 'delete: ask' && world.disk.find('a.md') === null) world.disk.makeSymlink('a.md', 'b.md');
    });
    world.write('a.md', 'old');
    world.start();
    await world.untilQuiet();
    world.disk.unlink('a.md');
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('a.md')), true);
    assert.deepEqual(await world.leftOut(), { 'a.md': 'blocked' });
  });

  it('that folds case does not take another file for one that was deleted', async () => {
    const world = start({ names: folding });
    world.write('a.md', 'old');
    world.start();
    await world.untilQuiet();
    world.disk.unlink('a.md');
    world.write('A.md', 'another');
    await world.untilQuiet();
    assert.deepEqual([...world.server.filesFor('ada').keys()], ['A.md']);
  });

  it('one that is full takes no downloads, and loses nothing', async () => {
    const world = start({ capacityBytes: 5000 });
    world.write('mine.md', 'mine');
    world.serve('large.md', 'x'.repeat(100_000));
    world.start();
    await world.untilQuiet();
    assert.equal((await world.leftOut())['large.md'], 'disk_full');
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('mine.md')), true);
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('large.md')), true);
    assert.deepEqual(
      world.files().filter((path) => path.startsWith('.stoa/staging/')),
      [],
    );
  });

  it('symlinks and pipes are left alone, and nothing is written through them', async () => {
    const world = start();
    world.disk.makeFolders('real');
    world.disk.makeSymlink('link', 'real');
    world.disk.makeSpecialFile('pipe');
    world.serve('link/a.md');
    world.serve('pipe', 'theirs');
    world.start();
    await world.untilQuiet();
    assert.deepEqual(
      world.files().filter((path) => path.startsWith('real/') || path.startsWith('link/')),
      [],
    );
    assert.equal(world.disk.find('pipe')?.kind, 'special_file');
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('link/a.md')), true);
  });
});

describe('what the workspace does not take', () => {
  it('waits, with its reason, while the rest goes on, and goes up when it may', async () => {
    const world = start();
    world.write('a.md', 'a');
    world.start();
    await world.untilQuiet();
    world.server.limits.isReadOnly = true;
    world.write('b.md', 'b');
    await world.untilQuiet();
    assert.equal((await world.leftOut())['b.md'], 'read_only');
    world.server.limits.isReadOnly = false;
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').size, 2);
    world.server.limits.maxFileBytes = 10;
    world.write('large.md', 'x'.repeat(100));
    await world.untilQuiet();
    assert.equal((await world.leftOut())['large.md'], 'too_large');
  });
});
