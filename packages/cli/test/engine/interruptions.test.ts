import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catchUpPagesMax, parseWorkspacePath } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import type { NetworkFault } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const agent = { userId: 'agent', keyId: 'k2', keyName: 'agent' };

/** A folder with one file, in sync; what becomes of each request after that is chosen by a test. */
async function start(path: string, text: string) {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  let fateOf = (_request: string): NetworkFault => 'none';
  let onStep = (_name: string): void => {};
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (request) => fateOf(request),
    trace: () => {},
    onStep: (name) => onStep(name),
  });
  const { disk } = client;
  disk.makeFolders(path.split('/').slice(0, -1).join('/'));
  disk.writeFile(path, bytesOf(text));
  client.start();
  await client.untilQuiet();
  return {
    client,
    disk,
    server,
    /** Lets time pass. */
    pass: (ms: number) => time.run(ms),
    there: () =>
      Object.fromEntries(
        [...server.filesFor(own.userId)].map(([at, { bytes }]) => [at, new TextDecoder().decode(bytes)]),
      ),
    here: () =>
      Object.fromEntries(
        [...disk.walk()].flatMap(({ path: at, node }) =>
          node.kind === 'file' && !at.startsWith('.stoa/')
            ? [[at, new TextDecoder().decode(node.inode.bytes)]]
            : [],
        ),
      ),
    /** The first request of that name is carried out, and its answer is lost. */
    loseAnswer(request: string, meanwhile: () => void = () => {}) {
      fateOf = (each) => {
        if (each !== request) return 'none';
        fateOf = () => 'none';
        meanwhile();
        return 'answer_lost';
      };
    },
    /** @param request null: whatever is asked next. */
    before(request: string | null, act: () => void) {
      fateOf = (each) => {
        if (request !== null && each !== request) return 'none';
        fateOf = () => 'none';
        act();
        return 'none';
      };
    },
    at(step: string, act: () => void) {
      onStep = (name) => {
        if (name !== step) return;
        onStep = () => {};
        act();
      };
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

describe('an answer that is lost', () => {
  it('of a move, and the file is saved under its new name meanwhile: that is an edit of it', async () => {
    const { client, disk, loseAnswer, at, here, there } = await start('a.md', 'old\n');
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
    const { client, disk, server, loseAnswer, here, there } = await start('a.bin', 'old\n');
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

describe('a text that lost', () => {
  it('stands once, where what it lost against is deleted before it is fetched', async () => {
    const { client, disk, server, at, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('conflict: answered', () => {
      const theirs = server.find(path, agent.userId);
      assert.ok(theirs);
      server.delete(agent, path, theirs);
    });
    await client.untilQuiet();
    assert.deepEqual(Object.values(there()), ['mine\n']);
    assert.deepEqual(here(), there());
  });

  it('stands once, where the answer is lost and another text loses before it is sent again', async () => {
    const { client, disk, server, loseAnswer, before, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    const seen = { kind: 'version', version: 1, contentHash: null } as const;
    disk.writeFile('a.md', bytesOf('mine\n'));
    loseAnswer('put', () => {
      server.write(agent, path, bytesOf('theirs\n'), seen, null);
      before(null, () => server.write(agent, path, bytesOf('late\n'), seen, null));
    });
    await client.untilQuiet();
    assert.deepEqual(Object.values(there()).sort(), ['late\n', 'mine\n', 'theirs\n']);
    assert.deepEqual(here(), there());
  });

  it('stands once, where it was sent as an edit and what it lost against is deleted right afterwards', async () => {
    const { client, disk, server, at, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    at('upload: put', () => {
      const seen = { kind: 'version', version: 1, contentHash: null } as const;
      server.write(agent, path, bytesOf('theirs\n'), seen, null);
      at('upload: answered', () => {
        const theirs = server.find(path, agent.userId);
        assert.ok(theirs);
        server.delete(agent, path, theirs);
      });
    });
    await client.untilQuiet();
    assert.deepEqual(Object.values(there()), ['mine\n']);
    assert.deepEqual(here(), there());
  });

  it('stands once, where the disk was full and what it lost against was moved before there was room', async () => {
    const { client, disk, server, at, pass, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    let tries = 0;
    const count = () => {
      tries += 1;
      at('conflict: answered', count);
    };
    at('conflict: put', () => {
      disk.capacityBytes = disk.usedBytes();
      at('conflict: answered', count);
    });
    // It is tried again a minute later, and once more.
    await pass(150_000);
    assert.ok(tries >= 2, `${tries} tries`);
    assert.equal(Object.values(here()).join(), 'mine\n');
    assert.equal((await client.store().readCounts()).intents, 1);
    server.move(agent, path, parseWorkspacePath('b.md'), null);
    disk.capacityBytes = Number.MAX_SAFE_INTEGER;
    await pass(150_000);
    assert.deepEqual(Object.values(there()).sort(), ['mine\n', 'theirs\n']);
    assert.deepEqual(here(), there());
  });

  describe('against what was taken back before it was fetched', () => {
    const path = parseWorkspacePath('a.md');
    const edit = (server: SimulatedServer, text: string) => {
      const file = server.find(path, agent.userId);
      assert.ok(file);
      server.write(agent, path, bytesOf(text), { kind: 'version', ...file }, null);
    };
    const texts = (files: Readonly<Record<string, string>>) => Object.values(files).sort();

    /** The disk is full, so that what it lost against does not come. */
    async function lose() {
      const started = await start('a.md', 'old\n');
      const { disk, server, at, pass, here, there } = started;
      server.addMember(agent.userId);
      disk.writeFile('a.md', bytesOf('mine\n'));
      edit(server, 'theirs\n');
      at('conflict: put', () => {
        disk.capacityBytes = disk.usedBytes();
      });
      await pass(20_000);
      assert.deepEqual([texts(here()), texts(there())], [['mine\n'], ['mine\n', 'theirs\n']]);
      const copy = [...server.filesFor(agent.userId).keys()].find((each) => each !== path);
      assert.ok(copy);
      const settle = async () => {
        disk.capacityBytes = Number.MAX_SAFE_INTEGER;
        await pass(150_000);
        assert.deepEqual(here(), there());
        assert.equal((await started.client.store().readCounts()).intents, 0);
      };
      return { ...started, copy, settle };
    }

    it('stands once', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'old\n', [copy]: 'mine\n' });
    });

    it('stands once, where others write and lose there as well', async () => {
      const { server, copy, before, there, settle } = await lose();
      edit(server, 'old\n');
      let isDone = false;
      const others = () => {
        if (isDone) return;
        isDone = true;
        server.write(agent, path, bytesOf('late\n'), { kind: 'absent' }, null);
        edit(server, 'newest\n');
      };
      // Where it is sent.
      before('put', others);
      await settle();
      others();
      await settle();
      assert.deepEqual(texts(there()), ['late\n', 'mine\n', 'newest\n']);
      assert.equal(there()[copy], 'mine\n');
    });

    it('stands once, where it was deleted and written again, to the same version', async () => {
      const { server, copy, there, settle } = await lose();
      const theirs = server.find(path, agent.userId);
      assert.ok(theirs);
      server.delete(agent, path, theirs);
      server.write(agent, path, bytesOf('old\n'), { kind: 'absent' }, null);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'old\n', [copy]: 'mine\n' });
    });

    it('stands once, where it was sent as an edit', async () => {
      const { client, disk, server, at, here, there } = await start('a.md', 'old\n');
      server.addMember(agent.userId);
      disk.writeFile('a.md', bytesOf('mine\n'));
      at('upload: put', () => {
        edit(server, 'theirs\n');
        at('upload: answered', () => edit(server, 'old\n'));
      });
      await client.untilQuiet();
      assert.deepEqual(texts(there()), ['mine\n', 'old\n']);
      assert.equal(there()['a.md'], 'old\n');
      assert.deepEqual(here(), there());
    });

    it('and that somebody else wrote there is nothing that is begun', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'mine\n');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'mine\n' });
    });

    it('and whose copy somebody deleted is an edit of what is there', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      const kept = server.find(copy, agent.userId);
      assert.ok(kept);
      server.delete(agent, copy, kept);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n' });
    });

    it('and whose copy got another text is an edit of what is there', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      const kept = server.find(copy, agent.userId);
      assert.ok(kept);
      server.write(agent, copy, bytesOf('other\n'), { kind: 'version', ...kept }, null);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'other\n' });
    });

    it('and was saved again since is an edit of what is there', async () => {
      const { disk, server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      disk.capacityBytes = Number.MAX_SAFE_INTEGER;
      disk.writeFile('a.md.tmp~', bytesOf('mine\n'));
      disk.rename('a.md.tmp~', 'a.md');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'mine\n' });
    });

    it('is sent where the server went back to before it was kept', async () => {
      const { client, disk, server, at, here, there } = await start('a.md', 'old\n');
      server.addMember(agent.userId);
      const restore = server.snapshot();
      disk.writeFile('a.md', bytesOf('mine\n'));
      at('upload: put', () => {
        edit(server, 'theirs\n');
        at('upload: answered', restore);
      });
      await client.untilQuiet();
      assert.deepEqual(there(), { 'a.md': 'mine\n' });
      assert.deepEqual(here(), there());
    });
  });
});

describe('a text that lost and has both names when the process is killed', () => {
  const path = parseWorkspacePath('a.md');
  const steps = ['duplicate: has both names', 'download: replace', 'replace: staged is flushed'];

  /** @param meanwhile while no process is there. */
  async function kill(step: string, meanwhile: (names: { copy: string; started: Started }) => void) {
    const started = await start('b.md', 'other\n');
    const { client, disk, server, at, here, there } = started;
    server.addMember(agent.userId);
    disk.writeFile(path, bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'absent' }, null);
    at(step, () => client.crash('process'));
    await client.untilQuiet().catch(() => {});
    const copy = Object.keys(here()).find((each) => each.startsWith('a ('));
    assert.ok(copy);
    assert.equal(here()[path], 'mine\n');
    meanwhile({ copy, started });
    client.start();
    await client.untilQuiet();
    assert.deepEqual(here(), there());
    const { intents, leftOut } = await client.store().load();
    assert.deepEqual([intents.size, leftOut.size], [0, 0]);
    return { there: there(), copy };
  }

  for (const step of steps) {
    for (const name of ['file', 'copy']) {
      it(`is kept once, and so is what is written into it by the name of its ${name} (${step})`, async () => {
        const { there, copy } = await kill(step, ({ copy, started: { disk } }) => {
          disk.writeFile(name === 'file' ? path : copy, bytesOf('mine again\n'));
        });
        assert.deepEqual(Object.values(there).sort(), ['mine\n', 'mine again\n', 'other\n', 'theirs\n']);
        assert.deepEqual([there[path], there[copy]], ['theirs\n', 'mine\n']);
      });
    }

    it(`is kept once, where what it lost against is deleted meanwhile (${step})`, async () => {
      const { there, copy } = await kill(step, ({ started: { server } }) => {
        const theirs = server.find(path, agent.userId);
        assert.ok(theirs);
        server.delete(agent, path, theirs);
      });
      assert.deepEqual(there, { 'b.md': 'other\n', [copy]: 'mine\n' });
    });
  }

  for (const act of ['changed', 'deleted']) {
    it(`gets nothing back of a copy that was ${act} there while the file was written here`, async () => {
      const { there, copy } = await kill('download: replace', ({ copy, started: { disk, server } }) => {
        disk.writeFile(path, bytesOf('mine again\n'));
        const copyPath = parseWorkspacePath(copy);
        const kept = server.find(copyPath, agent.userId);
        assert.ok(kept);
        if (act === 'deleted') server.delete(agent, copyPath, kept);
        else server.write(agent, copyPath, bytesOf('by others\n'), { kind: 'version', ...kept }, null);
      });
      const kept = act === 'deleted' ? [] : ['by others\n'];
      assert.deepEqual(Object.values(there).sort(), [...kept, 'mine again\n', 'other\n', 'theirs\n']);
      if (act === 'changed') assert.equal(there[copy], 'by others\n');
      assert.equal(there[path], 'theirs\n');
    });
  }
});

describe('a text that lost while its answer was', () => {
  it('is kept once, though another text lost there meanwhile', async () => {
    const { client, disk, server, loseAnswer, at, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('conflict: put', () => {
      loseAnswer('put');
      server.listen(() => {
        const copies = Object.values(there()).filter((text) => text === 'mine\n').length;
        const stale = { kind: 'absent' } as const;
        if (copies === 1 && !Object.values(there()).includes('other\n')) {
          server.write(agent, path, bytesOf('other\n'), stale, null);
        }
      });
    });
    await client.untilQuiet();
    assert.deepEqual(Object.values(there()).sort(), ['mine\n', 'other\n', 'theirs\n']);
    assert.deepEqual(here(), there());
  });

  it('is kept once, though somebody moves its copy right after the feed told of it', async () => {
    const { client, disk, server, loseAnswer, before, at, here, there } = await start('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('conflict: put', () => {
      loseAnswer('put', () => {
        before('head', () => {
          const copy = [...server.filesFor(agent.userId).keys()].find((each) => each !== path);
          assert.ok(copy);
          server.move(agent, copy, parseWorkspacePath('kept.md'), null);
        });
      });
    });
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'theirs\n', 'kept.md': 'mine\n' });
    assert.deepEqual(here(), there());
  });
});

describe('a server that is restored right after it answered', () => {
  it('gets the file again', async () => {
    const { client, disk, server, at, here, there } = await start('a.md', 'a\n');
    const restore = server.snapshot();
    disk.writeFile('b.md', bytesOf('b\n'));
    at('upload: answered', restore);
    await client.untilQuiet();
    assert.deepEqual(there(), { 'a.md': 'a\n', 'b.md': 'b\n' });
    assert.deepEqual(here(), there());
  });

  it('gets the file again, also where the process was killed in between', async () => {
    const { client, disk, server, at, before, here, there } = await start('a.md', 'a\n');
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
    const { client, disk, server, at, here, there } = await start('a.md', 'a\n');
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
    const { client, disk, server, at, before } = await start('a.md', 'a\n');
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
    const { client, server, at, before, here } = await start('a.md', 'old\n');
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
    const { client, server, at, here } = await start('a.md', 'old\n');
    const [path, to] = [parseWorkspacePath('b.md'), parseWorkspacePath('c.md')];
    server.write(agent, path, bytesOf('new\n'), { kind: 'absent' }, null);
    at('download: get', () => server.move(agent, path, to, null));
    await client.untilQuiet(1);
    assert.deepEqual(here(), { 'a.md': 'old\n', 'c.md': 'new\n' });
    assert.deepEqual(await client.store().listLeftOut(10), []);
  });

  it('is told of where the server says that it has it, and has not got it: it is not asked for again and again', async () => {
    const { client, disk, server, here } = await start('a.md', 'old\n');
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
    const { client, server, at, here } = await start('a.md', 'old\n');
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
    const { client, disk, server, at, here, there } = await start('a.md', 'old\n');
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
    const { client, disk, at, here, there } = await start('a.md', 'old\n');
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

  it('and cannot be fetched at first: it is doubted until it is', async () => {
    const { client, disk, server, here, there } = await start('a.md', 'old\n');
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
    const { client, disk, here, there } = await start('notes/a.md', 'old\n');
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
    const { client, disk, server, here, there, at } = await start('a.md', 'a');
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
    const { client, disk, server, here, there, at } = await start('a.md', 'a');
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

  it('nor where a newer content came than the one that was wanted', async () => {
    const { client, disk, server, here, there, at } = await start('a.md', 'a');
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
