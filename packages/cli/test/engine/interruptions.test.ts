import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catchUpPagesMax, parseWorkspacePath } from '@stoa/core';
import { agent, bytesOf, own, startFolder } from './interrupted-folder.ts';

describe('a lost response', () => {
  it('to a move keeps a save under the new name as an edit of the file', async () => {
    const { client, disk, loseAnswer: loseResponse, at, here, there } = await startFolder('a.md', 'old\n');
    disk.rename('a.md', 'b.md');
    loseResponse('move');
    at('move: answered', () => {
      disk.writeFile('b.md.tmp~', bytesOf('saved\n'));
      disk.rename('b.md.tmp~', 'b.md');
    });
    await client.untilQuiet();
    assert.deepEqual(there(), { 'b.md': 'saved\n' });
    assert.deepEqual(here(), there());
  });

  it('to an upload keeps a write during the retry as an edit of the file', async () => {
    const {
      client,
      disk,
      server,
      loseAnswer: loseResponse,
      here,
      there,
    } = await startFolder('a.bin', 'old\n');
    const [first, second] = ['one\n', 'two\n'].map((text) => text.repeat(300_000));
    disk.writeFile('a.bin', bytesOf(first ?? ''));
    loseResponse('put', () => disk.writeFile('a.bin', bytesOf(second ?? '')));
    await client.untilQuiet();
    assert.deepEqual(Object.keys(there()), ['a.bin']);
    assert.equal(there()['a.bin'], second);
    assert.deepEqual(here(), there());
    const versions = server.listVersions(parseWorkspacePath('a.bin'), own.userId);
    assert.deepEqual(
      versions.map(({ version }) => version),
      [3, 2, 1],
    );
  });
});

describe('a server that is restored right after its response', () => {
  it('gets the file again', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'a\n');
    const restore = server.snapshot();
    disk.writeFile('b.md', bytesOf('b\n'));
    at('upload: answered', restore);
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n', 'b.md': 'b\n' });
    assert.deepEqual(here(), there());
  });

  it('gets the file again when the process was killed in between', async () => {
    const { client, disk, server, at, before, here, there } = await startFolder('a.md', 'a\n');
    const restore = server.snapshot();
    disk.writeFile('b.md', bytesOf('b\n'));
    at('upload: answered', () => {
      restore();
      before('changes', () => {
        client.crash('process');
        client.start();
      });
    });
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n', 'b.md': 'b\n' });
    assert.deepEqual(here(), there());
  });

  it('brings back a file whose delete it lost', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'a\n');
    const restore = server.snapshot();
    disk.unlink('a.md');
    at('delete: answered', restore);
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n' });
    assert.deepEqual(here(), there());
  });
});

describe('a downloaded file', () => {
  it('is flushed even when the process was killed before the flush', async () => {
    const { client, disk, server, at, before } = await startFolder('a.md', 'a\n');
    const path = parseWorkspacePath('b.md');
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'absent' }, null);
    at('download: create', () =>
      before('changes', () => {
        const placed = disk.find('b.md');
        assert.ok(placed?.kind === 'file' && placed.inode.flushed === null);
        client.crash('process');
        client.start();
      }),
    );
    await client.untilQuiet();
    const found = disk.find('b.md');
    assert.ok(found?.kind === 'file');
    assert.equal(found.inode.flushed, found.inode.bytes);
  });
});

describe('a file that is missing on the server when it is fetched', () => {
  it('stays in the folder until the feed reports its deletion', async () => {
    const { client, server, at, before, here } = await startFolder('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.write(agent, path, bytesOf('new\n'), { kind: 'version', version: 1, contentHash: null }, null);
    const seen: Readonly<Record<string, string>>[] = [];
    at('download: get', () => {
      server.delete(agent, path, { version: 2, contentHash: null });
      before('changes', () => seen.push(here()));
    });
    await client.untilQuiet();
    assert.deepEqual([...seen, here()], [{ 'a.md': 'old\n' }, {}]);
  });

  it('is fetched from its new path in the same pass and not reported as missing', async () => {
    const { client, server, at, here } = await startFolder('a.md', 'old\n');
    const [path, to] = [parseWorkspacePath('b.md'), parseWorkspacePath('c.md')];
    server.write(agent, path, bytesOf('new\n'), { kind: 'absent' }, null);
    at('download: get', () => server.move(agent, path, to, null));
    await client.untilQuiet(1);
    assert.deepEqual(here(), { 'a.md': 'old\n', 'c.md': 'new\n' });
    assert.deepEqual(await client.store().listLeftOut(10), []);
  });

  it('is reported and not requested again and again when the server names it but has no bytes', async () => {
    const { client, disk, server, here } = await startFolder('a.md', 'old\n');
    server.addMember(agent.userId);
    const kept = server.write(agent, parseWorkspacePath('a.md'), bytesOf('late'), { kind: 'absent' }, null);
    assert.ok(kept.kind === 'conflict');
    server.lose(kept.copyPath);
    disk.writeFile(kept.copyPath, bytesOf('mine\n'));
    await client.untilQuiet();
    const rows = await client.store().listLeftOut(10);
    assert.deepEqual(
      rows.map(({ path, reason }) => [path, reason]),
      [[kept.copyPath, 'not_on_server']],
    );
    assert.deepEqual(here(), { 'a.md': 'old\n', [kept.copyPath]: 'mine\n' });
  });

  it('stays in the folder when it is written again after the deletion in the feed', async () => {
    const { client, server, at, here } = await startFolder('a.md', 'old\n');
    const [path, other] = [parseWorkspacePath('b.md'), parseWorkspacePath('other.md')];
    // One record per page, so that the changes below exceed the pages that are read before a plan.
    const readChanges = server.readChanges.bind(server);
    server.readChanges = (userId, since, limit) => readChanges(userId, since, Math.min(limit, 1));
    const write = (to: typeof path, text: string) => {
      const there = server.find(to, agent.userId);
      const seen = there === null ? ({ kind: 'absent' } as const) : ({ kind: 'version', ...there } as const);
      server.write(agent, to, bytesOf(text), seen, null);
    };
    write(path, 'new\n');
    at('download: get', () => {
      server.delete(agent, path, { version: 1, contentHash: null });
      for (let n = 0; n < catchUpPagesMax + 10; n += 1) write(other, `${n}\n`);
      write(path, 'newest\n');
    });
    await client.untilQuiet();
    assert.equal(here()['b.md'], 'newest\n');
    const trashed = await client.store().listTrash(10);
    assert.deepEqual(
      trashed.filter((row) => row.path === path),
      [],
    );
  });
});

describe('a file that is written while it is replaced', () => {
  it('keeps both texts and adds no row to the trash', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.write(agent, path, bytesOf('new\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('replace: old one has its name in the trash', () => disk.writeFile('a.md', bytesOf('late\n')));
    await client.untilQuiet();
    assert.deepEqual(Object.values(here()).sort(), ['late\n', 'new\n']);
    assert.deepEqual(here(), there());
    assert.deepEqual(await client.store().listTrash(10), []);
  });
});

describe('a file that lost its bytes in a power failure', () => {
  it('keeps a write during the repair as an edit', async () => {
    const { client, disk, at, here, there } = await startFolder('a.md', 'old\n');
    client.crash('power');
    const damaged = disk.find('a.md');
    assert.equal(damaged?.kind, 'file');
    // The stamp survived, the bytes did not.
    if (damaged?.kind === 'file') damaged.inode.bytes = new Uint8Array(4);
    at('replace: old one has its name in the trash', () => disk.writeFile('a.md', bytesOf('written\n')));
    client.start();
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'written\n' });
    assert.deepEqual(here(), there());
  });

  it('sends the edit of a large file that was edited before it was read', async () => {
    const { client, disk, here, there } = await startFolder('a.md', 'old\n');
    client.crash('power');
    const edited = 'edited\n'.repeat(1_300_000);
    disk.writeFile('a.md', bytesOf(edited));
    client.start();
    await client.untilQuiet();
    assert.ok(there()['a.md'] === edited);
    assert.ok(here()['a.md'] === edited);
  });

  it('stays untrusted until its bytes can be fetched', async () => {
    const { client, disk, server, here, there } = await startFolder('a.md', 'old\n');
    client.crash('power');
    const damaged = disk.find('a.md');
    if (damaged?.kind === 'file') damaged.inode.bytes = new Uint8Array(4);
    const path = parseWorkspacePath('a.md');
    server.damaged.add(path);
    client.start();
    await client.untilQuiet();
    client.crash('process');
    server.damaged.delete(path);
    client.start();
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'old\n' });
    assert.deepEqual(here(), there());
  });

  it('gets its text back at its new path when its folder is moved before it is read', async () => {
    const { client, disk, here, there } = await startFolder('notes/a.md', 'old\n');
    client.crash('power');
    const damaged = disk.find('notes/a.md');
    if (damaged?.kind === 'file') damaged.inode.bytes = new Uint8Array(4);
    disk.fault = (_act, path) => {
      if (path !== 'notes/a.md') return null;
      disk.fault = () => null;
      // Runs after the scan listed the file in its folder.
      queueMicrotask(() => disk.rename('notes', 'moved'));
      return null;
    };
    client.start();
    await client.untilQuiet(4);
    assert.deepEqual(there(), { 'moved/a.md': 'old\n' });
    assert.deepEqual(here(), there());
  });
});

describe('a file that a process put in place before it ended without recording it', () => {
  const [from, to] = [parseWorkspacePath('new.md'), parseWorkspacePath('moved.md')];
  const dayMs = 24 * 3600_000;

  /** Downloads the file, ends the process, changes the file on the server and starts the process again. */
  async function concurrently(
    act: 'moved' | 'deleted' | 'made private' | 'lost without a word',
    isCompared: boolean,
  ) {
    const { client, disk, server, here, there, at } = await startFolder('a.md', 'a');
    server.addMember(agent.userId);
    at('create: done', () => {
      client.crash('process');
      const file = server.find(from, agent.userId);
      assert.ok(file);
      if (act === 'moved') server.move(agent, from, to, file);
      else if (act === 'deleted') server.delete(agent, from, file);
      else if (act === 'made private') server.setPrivate(agent, from, true);
      else server.lose(from);
    });
    server.write(agent, from, bytesOf('new'), { kind: 'absent' }, null);
    await client.untilQuiet().catch(() => {});
    assert.equal(disk.find(from)?.kind, 'file');
    client.start();
    // After a day, the engine compares its base with the server's list.
    if (isCompared) client.jumpClock(2 * dayMs);
    await client.untilQuiet();
    return [there(), here(), (await client.store().listTrash(10)).length];
  }

  it('leaves nothing in the folder or the trash when it was made private', async () => {
    const expected = { 'a.md': 'a' };
    assert.deepEqual(await concurrently('made private', false), [expected, expected, 0]);
  });

  for (const act of ['moved', 'deleted'] as const) {
    const expected = act === 'moved' ? { 'a.md': 'a', [to]: 'new' } : { 'a.md': 'a' };
    it(`does not come back when it was ${act} on the server`, async () => {
      assert.deepEqual((await concurrently(act, false)).slice(0, 2), [expected, expected]);
    });

    it(`does not come back when the server’s list is compared before it is reported as ${act}`, async () => {
      assert.deepEqual((await concurrently(act, true)).slice(0, 2), [expected, expected]);
    });
  }

  it('does not come back when it is a copy, whose hash the feed does not contain', async () => {
    const { client, disk, server, here, there, at } = await startFolder('a.md', 'a');
    server.addMember(agent.userId);
    const kept = server.write(agent, parseWorkspacePath('a.md'), bytesOf('late'), { kind: 'absent' }, null);
    assert.ok(kept.kind === 'conflict');
    at('create: done', () => {
      client.crash('process');
      server.move(agent, kept.copyPath, to, null);
    });
    await client.untilQuiet().catch(() => {});
    assert.equal(disk.find(kept.copyPath)?.kind, 'file');
    client.start();
    await client.untilQuiet();
    const expected = { 'a.md': 'a', [to]: 'late' };
    assert.deepEqual([there(), here()], [expected, expected]);
  });

  it('does not come back when the server’s list has it and it is deleted before it is read', async () => {
    const { client, disk, server, here, there, at, pass } = await startFolder('a.md', 'a');
    server.addMember(agent.userId);
    const kept = server.write(agent, parseWorkspacePath('a.md'), bytesOf('late'), { kind: 'absent' }, null);
    assert.ok(kept.kind === 'conflict');
    let isThere = false;
    at('create: done', () => {
      client.crash('process');
      isThere = true;
    });
    for (let waits = 0; waits < 100 && !isThere; waits += 1) await pass(100);
    assert.equal(disk.find(kept.copyPath)?.kind, 'file');
    client.start();
    client.jumpClock(2 * dayMs);
    // The list is compared, but files as recent as this one are not read yet.
    await pass(800);
    const file = server.find(kept.copyPath, agent.userId);
    assert.ok(file);
    server.delete(agent, kept.copyPath, file);
    await client.untilQuiet();
    assert.deepEqual([there(), here()], [{ 'a.md': 'a' }, { 'a.md': 'a' }]);
  });

  it('does not come back when a newer content arrived than the requested one', async () => {
    const { client, disk, server, here, there, at } = await startFolder('a.md', 'a');
    server.addMember(agent.userId);
    server.write(agent, from, bytesOf('new'), { kind: 'absent' }, null);
    const edit = (text: string) => {
      const file = server.find(from, agent.userId);
      assert.ok(file);
      server.write(agent, from, bytesOf(text), { kind: 'version', ...file }, null);
    };
    at('download: get', () => {
      edit('newer');
      at('create: done', () => {
        client.crash('process');
        server.move(agent, from, to, null);
      });
    });
    await client.untilQuiet().catch(() => {});
    assert.equal(disk.find(from)?.kind, 'file');
    client.start();
    await client.untilQuiet();
    const expected = { 'a.md': 'a', [to]: 'newer' };
    assert.deepEqual([there(), here()], [expected, expected]);
  });

  it('is sent again when it is missing only from the server’s list', async () => {
    const expected = { 'a.md': 'a', [from]: 'new' };
    assert.deepEqual(await concurrently('lost without a word', true), [expected, expected, 0]);
  });
});
