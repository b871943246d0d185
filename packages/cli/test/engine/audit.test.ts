import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesMax, parseWorkspacePath, restoreJumpSeqs } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };
const dayMs = 24 * 3600_000;

/** Starts a synced folder. `prepare` is called with the server before the first sync. */
async function start(
  files: readonly string[],
  onRequest: (request: string) => void = () => {},
  prepare: (server: SimulatedServer) => void = () => {},
) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  for (const { userId } of [own, agent]) server.addMember(userId);
  prepare(server);
  const requests: string[] = [];
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (request) => {
      requests.push(request);
      onRequest(request);
      return 'none';
    },
    trace: () => {},
  });
  const { disk } = client;
  for (const path of files) disk.writeFile(path, bytesOf(path));
  client.start();
  await client.untilQuiet();
  const texts = (from: Iterable<readonly [string, Uint8Array]>) =>
    Object.fromEntries(
      [...from].map(([path, bytes]) => [
        path.replace(/ \(conflicted copy .*\)/, ' copy'),
        new TextDecoder().decode(bytes),
      ]),
    );
  return {
    server,
    client,
    disk,
    requests,
    run: (ms: number) => time.run(ms),
    here: () =>
      texts(
        [...disk.walk()].flatMap(({ path, node }) =>
          node.kind === 'file' && !path.startsWith('.stoa/') ? [[path, node.inode.bytes] as const] : [],
        ),
      ),
    there: () => texts([...server.filesFor(own.userId)].map(([path, { bytes }]) => [path, bytes] as const)),
    async holds() {
      return (await client.store().listHolds()).map(({ kind, members }) => [kind, members.length]);
    },
  };
}

describe('a server that went back in time', () => {
  for (const jump of [0, restoreJumpSeqs]) {
    it(`gets lost files again and overwrites no newer local file (feed jumps by ${jump})`, async () => {
      const { server, client, disk, requests, here, there } = await start(['a.md', 'b.md', 'same.md']);
      const restore = server.snapshot();
      disk.makeFolders('empty');
      disk.writeFile('a.md', bytesOf('newer'));
      disk.writeFile('new.md', bytesOf('new'));
      disk.unlink('b.md');
      await client.untilQuiet();
      restore(jump);
      server.write(agent, parseWorkspacePath('c.md'), bytesOf('c'), { kind: 'absent' }, null);
      requests.length = 0;
      await client.untilQuiet();
      const all = {
        'a.md': 'a.md',
        'a copy.md': 'newer',
        'b.md': 'b.md',
        'c.md': 'c',
        'new.md': 'new',
        'same.md': 'same.md',
      };
      assert.deepEqual(there(), { ...all, 'empty/.keep': '\n' });
      assert.deepEqual(here(), all);
      assert.equal(disk.find('empty')?.kind, 'folder');
      // Equal files need no request. Three files are uploaded, one of them as a copy, and three are downloaded.
      assert.equal(requests.filter((each) => each === 'put').length, 3);
      assert.equal(requests.filter((each) => each === 'get').length, 3);
    });
  }

  it('is detected when it lost only records that this member cannot see', async () => {
    const { server, client, here, there } = await start(['a.md']);
    const hers = (name: string) => parseWorkspacePath(`hers/${name}.md`);
    server.write(agent, hers('first'), bytesOf('hers'), { kind: 'absent' }, null);
    server.setPrivate(agent, parseWorkspacePath('hers'), true);
    await client.untilQuiet();
    const restore = server.snapshot();
    for (const name of ['one', 'two', 'three'])
      server.write(agent, hers(name), bytesOf('hers'), { kind: 'absent' }, null);
    await client.untilQuiet();
    restore();
    server.write(agent, parseWorkspacePath('c.md'), bytesOf('c'), { kind: 'absent' }, null);
    await client.untilQuiet();
    assert.deepEqual(here(), { 'a.md': 'a.md', 'c.md': 'c' });
    assert.deepEqual(there(), here());
  });

  for (const jump of [0, restoreJumpSeqs]) {
    const write = (server: SimulatedServer, path: string) =>
      server.write(agent, parseWorkspacePath(path), bytesOf(path), { kind: 'absent' }, null);

    it(`is detected when no record came since the first sync (feed jumps by ${jump})`, async () => {
      let restore = (_jump: number) => {};
      const { server, client, here, there } = await start(
        [],
        () => {},
        (server) => {
          write(server, 'a.md');
          restore = server.snapshot();
          write(server, 'b.md');
        },
      );
      restore(jump);
      write(server, 'c.md');
      await client.untilQuiet();
      assert.deepEqual(there(), { 'a.md': 'a.md', 'b.md': 'b.md', 'c.md': 'c.md' });
      assert.deepEqual(here(), there());
    });

    it(`is detected when it goes back a second time (feed jumps by ${jump})`, async () => {
      const { server, client, here, there } = await start(['a.md']);
      const restore = server.snapshot();
      write(server, 'b.md');
      await client.untilQuiet();
      restore(jump);
      for (const path of ['b.md', 'c.md']) write(server, path);
      await client.untilQuiet();
      restore(jump);
      for (const path of ['d.md', 'e.md']) write(server, path);
      await client.untilQuiet();
      const all = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
      assert.deepEqual(there(), Object.fromEntries(all.map((path) => [path, path])));
      assert.deepEqual(here(), there());
    });
  }

  it('needs confirmation when its list disagrees on too many files', async () => {
    const files = Array.from({ length: changesMax + 1 }, (_, n) => `${n}.md`);
    const { server, client, disk, here, there, holds, run } = await start([]);
    const restore = server.snapshot();
    for (const path of files) disk.writeFile(path, bytesOf(path));
    await client.untilQuiet();
    restore();
    await run(30_000);
    assert.equal(client.failure(), null);
    assert.deepEqual(await holds(), [['list_disagrees', files.length]]);
    assert.equal(Object.keys(there()).length, 0);
    assert.equal(Object.keys(here()).length, files.length);
    client.confirm();
    await client.untilQuiet();
    assert.deepEqual(await holds(), []);
    assert.equal(Object.keys(there()).length, files.length);
    assert.equal(Object.keys(here()).length, files.length);
  });
});

describe('the daily comparison with the server’s list', () => {
  for (const [clock, jumpMs] of [
    ['', 2 * dayMs],
    [', also when the clock went back a year', -365 * dayMs],
  ] as const) {
    it(`sends a file again that the server lost without a record${clock}`, async () => {
      const { server, client, here, there, requests } = await start(['a.md', 'b.md']);
      requests.length = 0;
      server.lose(parseWorkspacePath('a.md'));
      await client.untilQuiet();
      assert.equal(requests.includes('list'), false);
      assert.deepEqual(Object.keys(there()), ['b.md']);
      client.jumpClock(jumpMs);
      await client.untilQuiet();
      assert.equal(requests.filter((each) => each === 'list').length, 1);
      assert.deepEqual(there(), here());
      assert.deepEqual(Object.keys(here()).sort(), ['a.md', 'b.md']);
    });
  }

  it('ignores a file that was created and deleted while the list was read', async () => {
    const path = parseWorkspacePath('short.md');
    let acts: (() => void)[] = [];
    const { server, client, here, there } = await start(['a.md'], (request) => {
      if (request === 'list' || acts.length === 1) acts.shift()?.();
    });
    acts = [
      // The folder has these bytes already, so they are copied locally without a request.
      () => server.write(agent, path, bytesOf('a.md'), { kind: 'absent' }, null),
      () => server.delete(agent, path, { version: 1, contentHash: null }),
    ];
    client.jumpClock(2 * dayMs);
    await client.untilQuiet();
    assert.equal(acts.length, 0);
    assert.deepEqual(there(), { 'a.md': 'a.md' });
    assert.deepEqual(here(), { 'a.md': 'a.md' });
  });

  it('keeps a folder and its edits when it was private only while the list was read', async () => {
    const [folder, path] = [parseWorkspacePath('docs'), 'docs/a.md'];
    let acts: (() => void)[] = [];
    const { server, client, disk, here, there } = await start(['b.md'], (request) => {
      if (request === 'list' || acts.length === 1) acts.shift()?.();
    });
    disk.makeFolders('docs');
    disk.writeFile(path, bytesOf('first'));
    await client.untilQuiet();
    acts = [() => server.setPrivate(agent, folder, true), () => server.setPrivate(agent, folder, false)];
    disk.writeFile(path, bytesOf('edited'));
    client.jumpClock(2 * dayMs);
    await client.untilQuiet();
    assert.equal(acts.length, 0);
    assert.deepEqual(there(), { [path]: 'edited', 'b.md': 'b.md' });
    assert.deepEqual(here(), there());
  });
});
