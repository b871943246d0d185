import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import type { SimulatedServer } from '../simulated/simulated-server.ts';
import { agent, bytesOf, type StartedFolder, startFolder } from './interrupted-folder.ts';

describe('a losing text', () => {
  it('is stored once when the winning file is deleted before it is fetched', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'old\n');
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

  it('is stored once when the response is lost and another text loses before the retry', async () => {
    const {
      client,
      disk,
      server,
      loseAnswer: loseResponse,
      before,
      here,
      there,
    } = await startFolder('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    const seen = { kind: 'version', version: 1, contentHash: null } as const;
    disk.writeFile('a.md', bytesOf('mine\n'));
    loseResponse('put', () => {
      server.write(agent, path, bytesOf('theirs\n'), seen, null);
      before(null, () => server.write(agent, path, bytesOf('late\n'), seen, null));
    });
    await client.untilQuiet();
    assert.deepEqual(Object.values(there()).sort(), ['late\n', 'mine\n', 'theirs\n']);
    assert.deepEqual(here(), there());
  });

  it('is stored once when it was sent as an edit and the winner is deleted right afterwards', async () => {
    const { client, disk, server, at, here, there } = await startFolder('a.md', 'old\n');
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

  it('is stored once when the disk was full and the winner was moved before space was free', async () => {
    const { client, disk, server, at, pass, here, there } = await startFolder('a.md', 'old\n');
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
    // The upload is retried after one minute and once more.
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

  describe('whose winner was reverted before it was fetched', () => {
    const path = parseWorkspacePath('a.md');
    const edit = (server: SimulatedServer, text: string) => {
      const file = server.find(path, agent.userId);
      assert.ok(file);
      server.write(agent, path, bytesOf(text), { kind: 'version', ...file }, null);
    };
    const texts = (files: Readonly<Record<string, string>>) => Object.values(files).sort();

    /** Fills the disk, so that the winning text cannot be downloaded. */
    async function lose() {
      const started = await startFolder('a.md', 'old\n');
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

    it('is stored once', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'old\n', [copy]: 'mine\n' });
    });

    it('is stored once when other members write and lose to the same path', async () => {
      const { server, copy, before, there, settle } = await lose();
      edit(server, 'old\n');
      let isDone = false;
      const others = () => {
        if (isDone) return;
        isDone = true;
        server.write(agent, path, bytesOf('late\n'), { kind: 'absent' }, null);
        edit(server, 'newest\n');
      };
      before('put', others);
      await settle();
      others();
      await settle();
      assert.deepEqual(texts(there()), ['late\n', 'mine\n', 'newest\n']);
      assert.equal(there()[copy], 'mine\n');
    });

    it('is stored once when the winner was deleted and written again with the same version', async () => {
      const { server, copy, there, settle } = await lose();
      const theirs = server.find(path, agent.userId);
      assert.ok(theirs);
      server.delete(agent, path, theirs);
      server.write(agent, path, bytesOf('old\n'), { kind: 'absent' }, null);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'old\n', [copy]: 'mine\n' });
    });

    it('is stored once when it was sent as an edit', async () => {
      const { client, disk, server, at, here, there } = await startFolder('a.md', 'old\n');
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

    it('makes no new copy when another member writes the same text to its path', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'mine\n');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'mine\n' });
    });

    it('is sent as an edit when its copy was deleted', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      const kept = server.find(copy, agent.userId);
      assert.ok(kept);
      server.delete(agent, copy, kept);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n' });
    });

    it('is sent as an edit when its copy was overwritten', async () => {
      const { server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      const kept = server.find(copy, agent.userId);
      assert.ok(kept);
      server.write(agent, copy, bytesOf('other\n'), { kind: 'version', ...kept }, null);
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'other\n' });
    });

    it('is sent as an edit when it was saved again', async () => {
      const { disk, server, copy, there, settle } = await lose();
      edit(server, 'old\n');
      disk.capacityBytes = Number.MAX_SAFE_INTEGER;
      disk.writeFile('a.md.tmp~', bytesOf('mine\n'));
      disk.rename('a.md.tmp~', 'a.md');
      await settle();
      assert.deepEqual(there(), { 'a.md': 'mine\n', [copy]: 'mine\n' });
    });

    it('is sent again when the server is restored to before the copy was stored', async () => {
      const { client, disk, server, at, here, there } = await startFolder('a.md', 'old\n');
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

describe('a losing text that has both names when the process is killed', () => {
  const path = parseWorkspacePath('a.md');
  const steps = ['duplicate: has both names', 'download: replace', 'replace: staged is flushed'];

  /** @param meanwhile runs between the crash and the next start. */
  async function kill(step: string, concurrently: (names: { copy: string; started: StartedFolder }) => void) {
    const started = await startFolder('b.md', 'other\n');
    const { client, disk, server, at, here, there } = started;
    server.addMember(agent.userId);
    disk.writeFile(path, bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'absent' }, null);
    at(step, () => client.crash('process'));
    await client.untilQuiet().catch(() => {});
    const copy = Object.keys(here()).find((each) => each.startsWith('a ('));
    assert.ok(copy);
    assert.equal(here()[path], 'mine\n');
    concurrently({ copy, started });
    client.start();
    await client.untilQuiet();
    assert.deepEqual(here(), there());
    const { intents, skipped } = await client.store().load();
    assert.deepEqual([intents.size, skipped.size], [0, 0]);
    return { there: there(), copy };
  }

  for (const step of steps) {
    for (const name of ['file', 'copy']) {
      it(`is kept once, and so is a text written through the name of its ${name} (${step})`, async () => {
        const { there, copy } = await kill(step, ({ copy, started: { disk } }) => {
          disk.writeFile(name === 'file' ? path : copy, bytesOf('mine again\n'));
        });
        assert.deepEqual(Object.values(there).sort(), ['mine\n', 'mine again\n', 'other\n', 'theirs\n']);
        assert.deepEqual([there[path], there[copy]], ['theirs\n', 'mine\n']);
      });
    }

    it(`is kept once when the winning file is deleted before the restart (${step})`, async () => {
      const { there, copy } = await kill(step, ({ started: { server } }) => {
        const theirs = server.find(path, agent.userId);
        assert.ok(theirs);
        server.delete(agent, path, theirs);
      });
      assert.deepEqual(there, { 'b.md': 'other\n', [copy]: 'mine\n' });
    });
  }

  for (const act of ['changed', 'deleted']) {
    it(`does not restore a copy that was ${act} on the server while the local file was written`, async () => {
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

describe('a losing text at the new name of a file', () => {
  it('is kept once when the old folder of the file could not be read before', async () => {
    const { client, disk, server, at, here, there } = await startFolder('notes/x.md', 'mine\n');
    server.addMember(agent.userId);
    server.write(agent, parseWorkspacePath('y.md'), bytesOf('theirs\n'), { kind: 'absent' }, null);
    disk.rename('notes/x.md', 'y.md');
    disk.fault = (asked, path) => (asked === 'read' && path === 'notes' ? 'EACCES' : null);
    at('conflict: second name', () => client.crash('process'));
    await client.untilQuiet().catch(() => {});
    assert.deepEqual(Object.values(there()).toSorted(), ['mine\n', 'mine\n', 'theirs\n']);
    disk.fault = () => null;
    client.start();
    await client.untilQuiet();
    const { 'notes/.keep': _, ...texts } = there();
    assert.equal(texts['y.md'], 'theirs\n');
    assert.deepEqual(Object.values(texts).toSorted(), ['mine\n', 'theirs\n']);
    assert.deepEqual(here(), texts);
  });
});

describe('a losing text whose response is lost', () => {
  it('is kept once when another text loses at the same path', async () => {
    const {
      client,
      disk,
      server,
      loseAnswer: loseResponse,
      at,
      here,
      there,
    } = await startFolder('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('conflict: put', () => {
      loseResponse('put');
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

  it('is kept once when a member moves its copy right after the feed reports it', async () => {
    const {
      client,
      disk,
      server,
      loseAnswer: loseResponse,
      before,
      at,
      here,
      there,
    } = await startFolder('a.md', 'old\n');
    const path = parseWorkspacePath('a.md');
    server.addMember(agent.userId);
    disk.writeFile('a.md', bytesOf('mine\n'));
    server.write(agent, path, bytesOf('theirs\n'), { kind: 'version', version: 1, contentHash: null }, null);
    at('conflict: put', () => {
      loseResponse('put', () => {
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
