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
    skipped: async () => {
      const rows = await client.store().listLeftOut(100);
      return Object.fromEntries(rows.map(({ path, reason }) => [path, reason]));
    },
  };
}

describe('names that a server may send', () => {
  it('never write files of git or of the client itself', async () => {
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
    const skipped = await world.skipped();
    for (const path of hostile) assert.equal(skipped[path], 'hostile_name', path);
    // Skipped files are not treated as deleted.
    assert.equal(world.server.filesFor('ada').size, hostile.length + 1);
  });

  it('that a disk cannot store stay on the server', async () => {
    const world = start({ names: { foldsCase: true, unicodeForm: 'folded', forbids: 'windows' } });
    const impossible = ['CON.md', 'a:stream', 'what?.md', 'dot.', 'docs/nul.txt'];
    for (const path of [...impossible, 'Case.md', 'case.md', 'fine.md']) world.serve(path);
    world.start();
    await world.untilQuiet();
    const visible = world.files().filter((path) => !path.startsWith('.stoa/'));
    assert.deepEqual(visible, ['Case.md', 'fine.md']);
    const skipped = await world.skipped();
    for (const path of impossible) assert.equal(skipped[path], 'name_not_possible', path);
    assert.equal(skipped['case.md'], 'case_collision');
    assert.equal(world.server.filesFor('ada').size, impossible.length + 3);
  });

  it('that change only in case are changed on a disk that folds case, for files and folders', async () => {
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

  it('are not treated as deleted when the folder moves to a disk with other name rules', async () => {
    const world = start();
    for (const path of ['a.md', 'b.md']) world.serve(path);
    world.start();
    await world.untilQuiet();
    world.crash();
    // Simulates a copy from another disk that did not include one file.
    const store = world.store();
    const { meta } = await store.load();
    const { traits } = meta;
    assert.ok(traits !== null);
    const values = { root: 'another root' as ObjectId, traits: { ...traits, names: folding } };
    // A commit waits for simulated time, which does not pass here.
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
  it('deletes no unreadable file on the server and resumes when it is readable', async () => {
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
    assert.equal((await world.skipped()).docs, 'unreadable');
    world.disk.fault = () => null;
    world.disk.unlink('docs/a.md');
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('docs/a.md')), false);
    assert.equal(world.server.filesFor('ada').size, 3);
  });

  it('reports an unreadable root and treats none of its files as deleted', async () => {
    const world = start();
    for (const path of ['a.md', 'docs/b.md']) world.write(path, path);
    world.start();
    await world.untilQuiet();
    world.disk.fault = (act, path) => (act === 'read' && path === '' ? 'EIO' : null);
    world.server.delete(agent, parseWorkspacePath('a.md'), { version: 1, contentHash: null });
    await world.untilQuiet();
    assert.equal((await world.skipped())['.'], 'unreadable');
    world.disk.fault = () => null;
    await world.untilQuiet();
    assert.deepEqual(await world.skipped(), {});
    assert.deepEqual([...world.server.filesFor('ada').keys()], ['docs/b.md']);
    assert.equal(world.disk.find('a.md'), null);
  });

  for (const [where, disk] of [
    ['', {}],
    [', also when it folds case', { names: folding }],
  ] as const) {
    it(`does not delete a file on the server that is saved again at the last moment${where}`, async () => {
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

  it('does not delete a file on the server that a symlink replaces at the last moment', async () => {
    const world = start({}, (name) => {
      if (name === 'delete: ask' && world.disk.find('a.md') === null) world.disk.makeSymlink('a.md', 'b.md');
    });
    world.write('a.md', 'old');
    world.start();
    await world.untilQuiet();
    world.disk.unlink('a.md');
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('a.md')), true);
    assert.deepEqual(await world.skipped(), { 'a.md': 'blocked' });
  });

  it('does not mistake a new file whose name differs only in case for the deleted one', async () => {
    const world = start({ names: folding });
    world.write('a.md', 'old');
    world.start();
    await world.untilQuiet();
    world.disk.unlink('a.md');
    world.write('A.md', 'another');
    await world.untilQuiet();
    assert.deepEqual([...world.server.filesFor('ada').keys()], ['A.md']);
  });

  it('skips downloads when it is full and loses nothing', async () => {
    const world = start({ capacityBytes: 5000 });
    world.write('mine.md', 'mine');
    world.serve('large.md', 'x'.repeat(100_000));
    world.start();
    await world.untilQuiet();
    assert.equal((await world.skipped())['large.md'], 'disk_full');
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('mine.md')), true);
    assert.equal(world.server.filesFor('ada').has(parseWorkspacePath('large.md')), true);
    assert.deepEqual(
      world.files().filter((path) => path.startsWith('.stoa/staging/')),
      [],
    );
  });

  it('leaves symlinks and pipes alone and writes nothing through them', async () => {
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

describe('a file that the workspace rejects', () => {
  it('waits with its reason and is sent when the workspace allows it', async () => {
    const world = start();
    world.write('a.md', 'a');
    world.start();
    await world.untilQuiet();
    world.server.limits.isReadOnly = true;
    world.write('b.md', 'b');
    await world.untilQuiet();
    assert.equal((await world.skipped())['b.md'], 'read_only');
    world.server.limits.isReadOnly = false;
    await world.untilQuiet();
    assert.equal(world.server.filesFor('ada').size, 2);
    world.server.limits.maxFileBytes = 10;
    world.write('large.md', 'x'.repeat(100));
    await world.untilQuiet();
    assert.equal((await world.skipped())['large.md'], 'too_large');
  });
});
