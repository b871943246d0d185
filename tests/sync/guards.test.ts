import assert from 'node:assert/strict';
import { mkdir, rename, rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { useServer } from './support/shared-workspace.ts';
import { until } from './support/synced-folder.ts';

const server = await useServer();

describe('accidental bulk changes', () => {
  it('an emptied folder deletes nothing on the server without confirmation', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    for (let n = 0; n < 12; n += 1) await ada.write(`docs/${n}.md`, `text ${n}`);
    assert.equal((await ada.run('sync')).code, 0);
    const all = await shared.hashes();
    assert.equal(all.size, 12);

    await ada.remove('docs');
    const pending = await ada.run('sync', '--json');
    assert.equal(pending.code, 7, pending.stdout);
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

  it('an empty folder at its path, as of a missing disk, does not count as linked', async () => {
    const shared = await server.workspace();
    await using ada = await shared.folder();
    await ada.write('a.md', 'a');
    const watch = await ada.watch();
    await shared.untilSame([ada]);
    await rename(ada.path, `${ada.path}-away`);
    await mkdir(ada.path);
    await until(
      () => !watch.isRunning(),
      60_000,
      () => 'the watch still runs',
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
