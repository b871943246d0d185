import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { join as joinByInvite } from '../support/invites.ts';
import { createKey, type SignedUpPerson, signUp } from '../support/people.ts';
import { startMidUpload } from './support/mid-upload.ts';
import { type SharedWorkspace, useServer } from './support/shared-workspace.ts';
import { hashOf, SyncedFolder, until } from './support/synced-folder.ts';

const server = await useServer();
const scale = Number(process.env.STOA_SYNC_SCALE ?? '') || 1;
/** More than a client sends in one chunk. */
const largeText = 'large '.repeat(200_000);

/** Creates a folder of this person, linked with a key of their own. */
async function folderOf(shared: SharedWorkspace, person: SignedUpPerson, address = server.target.url) {
  const workspaceId = shared.workspace.id;
  const key = await createKey(person, { workspaceId, name: 'service-cli' });
  const folder = await SyncedFolder.make({ apiBase: address, workspaceId, key: key.secret });
  return { key, folder };
}

async function makePrivate(shared: SharedWorkspace, path: string, isPrivate: boolean): Promise<void> {
  const json = { path, kind: 'folder', private: isPrivate };
  assertStatus(await shared.workspace.send('PUT', '/node-private', { json }), 200);
}

describe('a folder that another member makes private', () => {
  it('disappears locally with own edits rescued, and returns when it is public again', async () => {
    const shared = await server.workspace();
    const grace = await signUp(server.target, 'Grace Hopper');
    await joinByInvite(shared.person, grace, shared.workspace.id);
    await using folder = (await folderOf(shared, grace)).folder;
    const names = Array.from({ length: Math.min(1000, 30 * scale) }, (_, n) => `secret/${n % 3}/${n}.md`);
    const edited = 'secret/edited.md';
    for (const name of [...names, edited]) await shared.workspace.put(name, `secret ${name}`);
    await shared.workspace.put('open.md', 'open');
    assert.equal((await folder.run('sync')).code, 0);
    assert.equal((await folder.hashes()).size, names.length + 2);
    // An earlier content, which goes to the trash.
    await shared.workspace.put(names[0] ?? '', 'secret again', { ifMatch: 1 });
    assert.equal((await folder.run('sync')).code, 0);
    assert.equal((await folder.hashes(true)).size, 1);

    await folder.write(edited, 'mine');
    await makePrivate(shared, 'secret', true);
    assert.equal((await folder.run('sync')).code, 6);
    assert.deepEqual([...(await folder.hashes()).keys()], ['open.md']);
    assert.deepEqual([...(await folder.hashes(true)).values()], [hashOf('mine')]);
    const staged = await readdir(join(folder.path, '.stoa', 'staging'));
    assert.deepEqual(
      staged.filter((name) => name.endsWith('.part')),
      [],
    );

    await makePrivate(shared, 'secret', false);
    assert.equal((await folder.run('sync')).code, 0);
    assert.equal((await folder.hashes()).size, names.length + 2);
  });

  it('rejects an edit that is being uploaded, and the edit is rescued', async () => {
    const shared = await server.workspace();
    const grace = await signUp(server.target, 'Grace Hopper');
    await joinByInvite(shared.person, grace, shared.workspace.id);
    await using front = await startMidUpload(Number(new URL(server.target.url).port));
    await using folder = (await folderOf(shared, grace, front.origin)).folder;
    await shared.workspace.put('secret/plan.md', 'secret');
    assert.equal((await folder.run('sync')).code, 0);
    await folder.write('secret/plan.md', largeText);
    front.duringNextUpload(() => makePrivate(shared, 'secret', true));
    const { code, stdout, stderr } = await folder.run('sync');
    assert.equal(code, 6, stdout + stderr);
    assert.equal(front.interrupted(), 1);
    assert.deepEqual([...(await folder.hashes()).keys()], []);
    assert.deepEqual([...(await folder.hashes(true)).values()], [hashOf(largeText)]);
    assert.deepEqual([...(await shared.hashes())], [['secret/plan.md', hashOf('secret')]]);
  });
});

describe('a member who loses access', () => {
  it('with a revoked key: the watch ends and deletes nothing', async () => {
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
      60_000,
      () => 'the watch still runs',
    );
    const { code, stderr } = await watch.end('SIGTERM');
    assert.equal(code, 4, stderr);
    assert(!stderr.includes(key.secret));
    assert.deepEqual([...(await folder.hashes()).keys()], ['a.md', 'b.md']);
  });

  it('loses nothing when the key ends during an upload, or after rejoining with a new key', async () => {
    const shared = await server.workspace();
    const { workspace } = shared;
    const grace = await signUp(server.target, 'Grace Hopper');
    await joinByInvite(shared.person, grace, workspace.id);
    await using front = await startMidUpload(Number(new URL(server.target.url).port));
    const linked = await folderOf(shared, grace, front.origin);
    await using folder = linked.folder;
    const names = ['edited here', 'edited there', 'deleted here', 'deleted there', 'same'];
    for (const name of names) await folder.write(`${name}.md`, name);
    assert.equal((await folder.run('sync')).code, 0);
    const before = await shared.hashes();
    assert.equal(before.size, names.length);

    await folder.write('edited here.md', largeText);
    const here = await folder.hashes();
    front.duringNextUpload(async () => {
      assertStatus(await grace.session.send('DELETE', `/api/keys/${linked.key.id}`), 200);
    });
    const cut = await folder.run('sync');
    assert.equal(cut.code, 4, cut.stdout + cut.stderr);
    assert.equal(front.interrupted(), 1);
    assert.deepEqual(await shared.hashes(), before);
    assert.deepEqual(await folder.hashes(), here);

    const unrevoked = await createKey(grace, { workspaceId: workspace.id, name: 'service-cli' });
    await folder.link(front.origin, workspace.id, unrevoked.secret);
    assertStatus(await workspace.send('DELETE', `/members/${grace.id}`), 204);
    assert.equal((await folder.run('sync')).code, 4);
    assert.deepEqual(await shared.hashes(), before);
    assert.deepEqual(await folder.hashes(), here);

    await workspace.put('edited there.md', 'from there', { ifMatch: 1 });
    assertStatus(
      await workspace.send('DELETE', '/files/deleted%20there.md', { headers: { 'if-match': '1' } }),
      204,
    );
    await folder.remove('deleted here.md');
    await joinByInvite(shared.person, grace, workspace.id);
    assert.equal((await folder.run('sync')).code, 4, 'the old key works again');
    const again = await createKey(grace, { workspaceId: workspace.id, name: 'service-cli' });
    await folder.link(front.origin, workspace.id, again.secret);
    const back = await folder.run('sync', '--json');
    assert.equal(back.code, 0, back.stdout + back.stderr);
    await shared.untilSame([folder], 1000);
    assert.deepEqual(
      await folder.hashes(),
      new Map([
        ['edited here.md', hashOf(largeText)],
        ['edited there.md', hashOf('from there')],
        ['same.md', hashOf('same')],
      ]),
    );
  });
});
