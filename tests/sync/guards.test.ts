import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { join as joinByInvite } from '../support/invites.ts';
import { createKey, signUp } from '../support/people.ts';
import { useServer } from './support/shared-workspace.ts';
import { hashOf, SyncedFolder, until } from './support/synced-folder.ts';

const server = await useServer();

describe('what is seldom meant', () => {
  it('an emptied folder deletes nothing on the server until that is confirmed', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    for (let n = 0; n < 12; n += 1) await ada.write(`docs/${n}.md`, `text ${n}`);
    assert.equal((await ada.run('sync')).code, 0);
    const all = await shared.hashes();
    assert.equal(all.size, 12);

    await ada.remove('docs');
    const held = await ada.run('sync', '--json');
    assert.equal(held.code, 7, held.stdout);
    assert.deepEqual(await shared.hashes(), all);

    const undone = await ada.run('sync', '--undo-held');
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    await shared.untilSame([ada], 1000);
    assert.equal((await ada.hashes()).size, 12);

    await ada.remove('docs');
    assert.equal((await ada.run('sync')).code, 7);
    const confirmed = await ada.run('sync', '--confirm');
    assert.equal(confirmed.code, 0, confirmed.stdout + confirmed.stderr);
    assert.equal((await shared.hashes()).size, 0);
  });

  it('an empty folder in its place, as of a disk that is not there, is no folder of ours', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.write('a.md', 'a');
    const watch = await ada.watch();
    await shared.untilSame([ada]);
    await rename(ada.path, `${ada.path}-away`);
    await mkdir(ada.path);
    await until(
      () => !watch.isRunning(),
      30_000,
      () => 'the watch goes on',
    );
    assert.equal((await watch.end('SIGTERM')).code, 1);
    assert.equal((await ada.run('sync')).code, 3);
    assert.equal((await shared.hashes()).size, 1);
    await rm(ada.path, { recursive: true });
    await rename(`${ada.path}-away`, ada.path);
    assert.equal((await ada.run('sync')).code, 0);
    assert.equal((await shared.hashes()).size, 1);
  });
});

describe('who may see what', () => {
  it('of what somebody makes private nothing stays but own edits, which are rescued', async () => {
    const shared = await server.workspace();
    const grace = await signUp(server.target, 'Grace Hopper');
    await joinByInvite(shared.person, grace, shared.workspace.id);
    const key = await createKey(grace, { workspaceId: shared.workspace.id, name: 'service-cli' });
    await using folder = await SyncedFolder.make({
      apiBase: server.target.url,
      workspaceId: shared.workspace.id,
      key: key.secret,
    });
    for (const name of ['a', 'b', 'edited'])
      await shared.workspace.put(`secret/${name}.md`, `secret ${name}`);
    await shared.workspace.put('open.md', 'open');
    assert.equal((await folder.run('sync')).code, 0);
    assert.equal((await folder.hashes()).size, 4);

    await folder.write('secret/edited.md', 'mine');
    assertStatus(
      await shared.workspace.send('PUT', '/node-private', {
        json: { path: 'secret', kind: 'folder', private: true },
      }),
      200,
    );
    assert.equal((await folder.run('sync')).code, 6);
    assert.deepEqual([...(await folder.hashes()).keys()], ['open.md']);
    assert.deepEqual([...(await folder.hashes(true)).values()], [hashOf('mine')]);

    assertStatus(
      await shared.workspace.send('PUT', '/node-private', {
        json: { path: 'secret', kind: 'folder', private: false },
      }),
      200,
    );
    assert.equal((await folder.run('sync')).code, 0);
    assert.equal((await folder.hashes()).size, 4);
  });

  it('a revoked key ends a watch, and deletes nothing', async () => {
    const shared = await server.workspace();
    const key = await createKey(shared.person, { workspaceId: shared.workspace.id, name: 'service-cli' });
    await using folder = await SyncedFolder.make({
      apiBase: server.target.url,
      workspaceId: shared.workspace.id,
      key: key.secret,
    });
    await folder.write('a.md', 'a');
    const watch = await folder.watch();
    await shared.untilSame([folder]);
    assertStatus(await shared.person.session.send('DELETE', `/api/keys/${key.id}`), 200);
    await folder.write('b.md', 'b');
    await until(
      () => !watch.isRunning(),
      40_000,
      () => 'the watch goes on',
    );
    const { code, stderr } = await watch.end('SIGTERM');
    assert.equal(code, 4, stderr);
    assert(!stderr.includes(key.secret));
    assert.deepEqual([...(await folder.hashes()).keys()], ['a.md', 'b.md']);
  });
});

describe('git in a synced folder', () => {
  it('switching branches ends with what git left, and its own folder stays here', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: ada.path,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      });
    await ada.write('.gitignore', '.stoa/\n');
    for (let n = 0; n < 30; n += 1) await ada.write(`src/${n % 5}/${n}.txt`, `main ${n}`);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'main');
    git('switch', '-q', '-c', 'other');
    for (let n = 0; n < 10; n += 1) await ada.write(`src/${n % 5}/${n}.txt`, `other ${n}`);
    await ada.remove('src/4/29.txt');
    await ada.write('src/new/file.txt', 'new');
    git('add', '-A');
    git('commit', '-q', '-m', 'other');
    await ada.watch();
    await shared.untilSame([ada]);
    for (const branch of ['main', 'other', 'main']) {
      git('switch', '-q', branch);
      await shared.untilSame([ada]);
      assert.equal(git('status', '--porcelain').toString(), '');
    }
    assert([...(await shared.hashes()).keys()].every((path) => !path.startsWith('.git/')));
    assert.equal(await ada.read(join('src', '0', '0.txt')), 'main 0');
  });
});
