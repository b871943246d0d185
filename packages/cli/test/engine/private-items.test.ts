import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import { differences } from '../simulated/play/oracle.ts';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const other = { userId: 'ben', keyId: 'k2', keyName: 'agent' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const at = (path: string): WorkspacePath => parseWorkspacePath(path);

type Started = Awaited<ReturnType<typeof start>>;

/** Starts a watched folder of one member. The other member works on the server. */
async function start(files: Readonly<Record<string, string>>) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  server.addMember(other.userId);
  const requests: string[] = [];
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (name) => {
      requests.push(name);
      return 'none';
    },
    trace: () => {},
    watches: true,
    restMs: 10_000,
  });
  const { disk } = client;
  for (const [path, text] of Object.entries(files)) {
    disk.makeFolders(path.split('/').slice(0, -1).join('/'));
    disk.writeFile(path, bytesOf(text));
  }
  client.start();
  await client.untilQuiet();
  requests.length = 0;
  const writes = (path: string, text: string) => {
    const { version = 1, contentHash = null } = server.find(at(path), other.userId) ?? {};
    server.write(other, at(path), bytesOf(text), { kind: 'version', version, contentHash }, null);
  };
  return {
    time,
    server,
    client,
    disk,
    requests,
    writes,
    textAt: (path: string) => {
      const node = disk.find(path);
      return node?.kind === 'file' ? new TextDecoder().decode(node.inode.bytes) : null;
    },
    skipped: async () => {
      const rows = await client.store().listLeftOut(100);
      return Object.fromEntries(rows.map(({ path, reason }) => [path, reason]));
    },
  };
}

describe('private items of another member', () => {
  it('do not remove the member’s own private file below them', async () => {
    const { server, client, textAt } = await start({ 'docs/mine.md': 'mine', 'docs/all.md': 'all' });
    server.setPrivate(own, at('docs/mine.md'), true);
    await client.untilQuiet();
    server.setPrivate(other, at('docs'), true);
    await client.untilQuiet();
    assert.deepEqual([textAt('docs/mine.md'), textAt('docs/all.md')], ['mine', null]);
  });

  it('make a rename to their path wait, reported and retried at most once per pass', async () => {
    const { server, client, disk, requests, textAt, skipped, writes } = await start({ 'a.md': 'a' });
    writes('hers.md', 'hers');
    server.setPrivate(other, at('hers.md'), true);
    await client.untilQuiet();
    requests.length = 0;
    disk.rename('a.md', 'hers.md');
    await client.untilQuiet(4);
    assert.deepEqual(await skipped(), { 'hers.md': 'hidden_by_private' });
    assert.equal(textAt('hers.md'), 'a');
    assert.ok(server.find(at('a.md'), own.userId) !== null, 'a.md is deleted on the server');
    const moves = requests.filter((name) => name === 'move').length;
    const passes = requests.filter((name) => name === 'changes').length;
    assert.ok(moves > 0 && moves <= passes, `${moves} move requests in ${passes} passes`);

    server.delete(other, at('hers.md'), server.find(at('hers.md'), other.userId) ?? assert.fail());
    server.setPrivate(other, at('hers.md'), false);
    await client.untilQuiet();
    assert.deepEqual(await skipped(), {});
    assert.deepEqual([...server.filesFor(own.userId).keys()], ['hers.md']);
  });

  it('do not block downloads to the path that a waiting rename left', async () => {
    const { server, client, disk, textAt, writes } = await start({ 'a.md': 'a' });
    writes('hers.md', 'hers');
    server.setPrivate(other, at('hers.md'), true);
    await client.untilQuiet();
    disk.rename('a.md', 'hers.md');
    await client.untilQuiet();
    writes('a.md', 'news');
    await client.untilQuiet();
    assert.deepEqual([textAt('a.md'), textAt('hers.md')], ['news', 'a']);
  });

  for (const [what, end] of [
    ['it is shared', ({ server }) => server.setPrivate(other, at('team'), false)],
    ['the folder is renamed again', ({ disk }) => disk.rename('team', 'mine')],
  ] as const satisfies readonly (readonly [string, (started: Started) => void])[]) {
    it(`keep the server’s files of a folder that is renamed to their path until ${what}`, async () => {
      const started = await start({
        'docs/edited.md': 'mine',
        'docs/gone.md': 'old',
        'docs/same.md': 'same',
      });
      const { client, server, disk, skipped, textAt } = started;
      const there = () => [...server.filesFor(other.userId).keys()].sort();
      const before = there();
      server.setPrivate(other, at('team'), true);
      disk.rename('docs', 'team');
      // Saves through a new file, as editors do.
      disk.unlink('team/edited.md');
      disk.writeFile('team/edited.md', bytesOf('mine, edited'));
      disk.unlink('team/gone.md');
      await client.untilQuiet();
      assert.deepEqual(await skipped(), {
        'team/edited.md': 'hidden_by_private',
        'team/same.md': 'hidden_by_private',
      });
      assert.deepEqual(there(), before);
      assert.equal(disk.find('docs'), null);
      assert.deepEqual(await differences(client, server), [], 'the oracle reports the waiting folder');

      end(started);
      await client.untilQuiet();
      const folder = disk.find('mine') === null ? 'team' : 'mine';
      assert.equal(textAt(`${folder}/edited.md`), 'mine, edited');
      assert.deepEqual(await skipped(), {});
      assert.deepEqual(there(), [`${folder}/edited.md`, `${folder}/same.md`]);
      assert.equal(server.listVersions(at(`${folder}/edited.md`), own.userId).length, 3);
    });
  }

  it('free their path when they are deleted before they are shared', async () => {
    const { time, server, client, disk, writes, skipped } = await start({ 'a.md': 'a' });
    server.limits.files = 1;
    disk.writeFile('b.md', bytesOf('mine'));
    await client.untilQuiet();
    assert.deepEqual(await skipped(), { 'b.md': 'file_count' });
    server.limits.files = null;
    writes('b.md', 'hers');
    server.limits.files = 2;
    await client.untilQuiet();
    assert.deepEqual(await skipped(), { 'b.md': 'conflict_unsaved' });
    server.setPrivate(other, at('b.md'), true);
    await client.untilQuiet();
    server.delete(other, at('b.md'), server.find(at('b.md'), other.userId) ?? assert.fail());
    server.setPrivate(other, at('b.md'), false);
    server.limits.files = null;
    await time.run(6 * 60_000);
    assert.deepEqual(await skipped(), {});
    assert.ok(server.find(at('b.md'), own.userId) !== null);
  });

  it('give way to the server’s file when their local copy was renamed over its path', async () => {
    const { server, client, disk, textAt, writes } = await start({ 'a.md': 'a' });
    client.crash('process');
    disk.rename('a.md', 'b.md');
    server.setPrivate(other, at('a.md'), true);
    writes('b.md', 'theirs');
    client.start();
    await client.untilQuiet();
    assert.deepEqual([textAt('a.md'), textAt('b.md')], [null, 'theirs']);
  });
});
