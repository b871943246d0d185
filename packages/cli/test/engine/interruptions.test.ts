import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catchUpPagesMax, parseWorkspacePath } from '@stoa/core';
import { agent, bytesOf, own, startFolder } from './interrupted-folder.ts';

describe('an answer that is lost', () => {
  it('of a move, and the file is saved under its new name meanwhile: that is an edit of it', async () => {
    const { client, disk, loseAnswer, at, here, there } = await startFolder('a.md', 'old\n');
    disk.rename('a.md', 'b.md');
    loseAnswer('move');
    at('move: answered', () => {
      disk.writeFile('b.md.tmp~', bytesOf('saved\n'));
      disk.rename('b.md.tmp~', 'b.md');
    });
    await client.untilQuiet();
    assert.deepEqual(there(), { 'b.md': 'saved\n' });
    assert.deepEqual(here(), there());
  });

  it('of an upload that was written while it was tried again: that is an edit of it', async () => {
    const { client, disk, server, loseAnswer, here, there } = await startFolder('a.bin', 'old\n');
    const [first, second] = ['one\n', 'two\n'].map((text) => text.repeat(300_000));
    disk.writeFile('a.bin', bytesOf(first ?? ''));
    loseAnswer('put', () => disk.writeFile('a.bin', bytesOf(second ?? '')));
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

describe('a server that is restored right after it answered', () => {
  it('gets the file again', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'a\n');
    const restore = server.snapshot();
    disk.writeFile('b.md', bytesOf('b\n'));
    at('upload: answered', restore);
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n', 'b.md': 'b\n' });
    assert.deepEqual(here(), there());
  });

  it('gets the file again, also where the process was killed in between', async () => {
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

  it('and what was deleted there comes back', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'a\n');
    const restore = server.snapshot();
    disk.unlink('a.md');
    at('delete: answered', restore);
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n' });
    assert.deepEqual(here(), there());
  });
});

describe('a file that was fetched', () => {
  it('is flushed in the end, also where the process was killed before that', async () => {
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

describe('a file that is not there any more when it is fetched', () => {
  it('stays here until the feed tells that it is gone', async () => {
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

  it('comes from where it was moved, in the same pass, and is not told of as missing', async () => {
    const { client, server, at, here } = await startFolder('a.md', 'old\n');
    const [path, to] = [parseWorkspacePath('b.md'), parseWorkspacePath('c.md')];
    server.write(agent, path, bytesOf('new\n'), { kind: 'absent' }, null);
    at('download: get', () => server.move(agent, path, to, null));
    await client.untilQuiet(1);
    assert.deepEqual(here(), { 'a.md': 'old\n', 'c.md': 'new\n' });
    assert.deepEqual(await client.store().listLeftOut(10), []);
  });

  it('is told of where the server says that it has it, and has not got it: it is not asked for again and again', async () => {
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

  it('stays here, where it is there again by the time it comes, whatever the feed tells up to then', async () => {
    const { client, server, at, here } = await startFolder('a.md', 'old\n');
    const [path, other] = [parseWorkspacePath('b.md'), parseWorkspacePath('other.md')];
    // One record in a page: what follows is more than is read before a plan.
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
  it('has both texts, and the trash tells of nothing that is not in it', async () => {
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

describe('a file that lost its bytes with the power', () => {
  it('and is written while they are fetched again: that is an edit of it', async () => {
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

  it('and a large file that was edited before it was read: the edit is sent', async () => {
    const { client, disk, here, there } = await startFolder('a.md', 'old\n');
    client.crash('power');
    const edited = 'edited\n'.repeat(1_300_000);
    disk.writeFile('a.md', bytesOf(edited));
    client.start();
    await client.untilQuiet();
    assert.ok(there()['a.md'] === edited);
    assert.ok(here()['a.md'] === edited);
  });

  it('and cannot be fetched at first: it is doubted until it is', async () => {
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

  it('and is moved with its folder before it is read: its text comes back at its new place', async () => {
    const { client, disk, here, there } = await startFolder('notes/a.md', 'old\n');
    client.crash('power');
    const damaged = disk.find('notes/a.md');
    if (damaged?.kind === 'file') damaged.inode.bytes = new Uint8Array(4);
    disk.fault = (_act, path) => {
      if (path !== 'notes/a.md') return null;
      disk.fault = () => null;
      // After it was seen in its folder.
      queueMicrotask(() => disk.rename('notes', 'moved'));
      return null;
    };
    client.start();
    await client.untilQuiet(4);
    assert.deepEqual(there(), { 'moved/a.md': 'old\n' });
    assert.deepEqual(here(), there());
  });
});

describe('a file that was put in place by a process that ended before it noted so', () => {
  const [from, to] = [parseWorkspacePath('new.md'), parseWorkspacePath('moved.md')];
  const dayMs = 24 * 3600_000;

  /** It comes, the process ends, something becomes of it there, and the process starts again. */
  async function meanwhile(
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
    // As after a day: what the feed said is compared with the server's list.
    if (isCompared) client.jumpClock(2 * dayMs);
    await client.untilQuiet();
    return [there(), here(), (await client.store().listTrash(10)).length];
  }

  it('leaves nothing here where it was made private meanwhile, in the trash neither', async () => {
    const expected = { 'a.md': 'a' };
    assert.deepEqual(await meanwhile('made private', false), [expected, expected, 0]);
  });

  for (const act of ['moved', 'deleted'] as const) {
    const expected = act === 'moved' ? { 'a.md': 'a', [to]: 'new' } : { 'a.md': 'a' };
    it(`does not come back where it was ${act} on the server meanwhile`, async () => {
      assert.deepEqual((await meanwhile(act, false)).slice(0, 2), [expected, expected]);
    });

    it(`nor where the server’s list is compared before it is known that it was ${act}`, async () => {
      assert.deepEqual((await meanwhile(act, true)).slice(0, 2), [expected, expected]);
    });
  }

  it('does not come back either where it is a copy, of which the feed does not say what it holds', async () => {
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

  it('nor where the server’s list has it, and it is deleted before it is read here', async () => {
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
    // The list was compared, and what is as new as this file is not read yet.
    await pass(800);
    const file = server.find(kept.copyPath, agent.userId);
    assert.ok(file);
    server.delete(agent, kept.copyPath, file);
    await client.untilQuiet();
    assert.deepEqual([there(), here()], [{ 'a.md': 'a' }, { 'a.md': 'a' }]);
  });

  it('nor where a newer content came than the one that was wanted', async () => {
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

  it('is sent again where the server’s list alone has it no more', async () => {
    const expected = { 'a.md': 'a', [from]: 'new' };
    assert.deepEqual(await meanwhile('lost without a word', true), [expected, expected, 0]);
  });
});
