import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createCurrentFiles, type FileList } from '../../src/service/search/current-files.ts';
import { makeDataDir, openProcess } from './support/searched-workspace.ts';

const pathsOf = ({ files }: FileList) => files.map(({ path }) => path);

/** The store, with `around` called for each snapshot, and a count of the times that all files were read from the start. */
function observed(
  store: MetadataStore,
  around: (read: () => Promise<void>) => Promise<void> = (read) => read(),
) {
  const counts = { fullReads: 0 };
  const snapshot: MetadataStore['snapshot'] = async (read) => {
    const results: Awaited<ReturnType<typeof read>>[] = [];
    await around(async () => {
      const result = await store.snapshot((reader) => {
        const contentsPage: typeof reader.files.contentsPage = (query) => {
          if (query.afterPath === null) counts.fullReads += 1;
          return reader.files.contentsPage(query);
        };
        return read({ ...reader, files: { ...reader.files, contentsPage } });
      });
      results.push(result);
    });
    const [result] = results;
    if (result === undefined) throw new Error('nothing was read');
    return result;
  };
  return { counts, snapshot };
}

test('a search during a read of the files sees changes made since that read began', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  await ann.write('before.md');
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { snapshot } = observed(process.store, async (read) => {
    await read();
    begun.resolve();
    await released.promise;
  });
  const currentFiles = createCurrentFiles({ snapshot });
  const first = currentFiles.read(workspaceId);
  await begun.promise;
  await ann.write('meanwhile.md');
  const later = [currentFiles.read(workspaceId), currentFiles.read(workspaceId)];
  released.resolve();
  assert.deepEqual(pathsOf(await first), ['before.md']);
  for (const read of later) assert.deepEqual(pathsOf(await read), ['before.md', 'meanwhile.md']);
});

test('searches that come at the same time share one reading of all files, and later ones follow the feed', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  await ann.write('a.md');
  const { counts, snapshot } = observed(process.store);
  const currentFiles = createCurrentFiles({ snapshot }, { filesMax: 1 });
  await Promise.all(Array.from({ length: 10 }, () => currentFiles.read(workspaceId)));
  await ann.write('b.md');
  assert.deepEqual(pathsOf(await currentFiles.read(workspaceId)), ['a.md', 'b.md']);
  assert.equal(counts.fullReads, 1, 'also when the list is larger than all lists may be');
});

test('the list not used for longest makes room', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const ids = [await process.createWorkspace(), await process.createWorkspace()] as const;
  for (const id of ids) await (await process.member('ann', id)).write('a.md');
  const { counts, snapshot } = observed(process.store);
  const currentFiles = createCurrentFiles({ snapshot }, { filesMax: 1 });
  for (const id of [ids[0], ids[1], ids[1], ids[0]])
    assert.deepEqual(pathsOf(await currentFiles.read(id)), ['a.md']);
  assert.equal(counts.fullReads, 3);
});

test('a failed read does not fail callers that asked later', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  await (await process.member('ann', workspaceId)).write('a.md');
  let broken = true;
  const { snapshot } = observed(process.store, async (read) => {
    await read();
    if (broken) throw new Error('the database went away');
  });
  const currentFiles = createCurrentFiles({ snapshot });
  const first = currentFiles.read(workspaceId);
  const second = currentFiles.read(workspaceId);
  await assert.rejects(first, /went away/);
  broken = false;
  assert.deepEqual(pathsOf(await second), ['a.md']);
  assert.deepEqual(pathsOf(await currentFiles.read(workspaceId)), ['a.md']);
});

test('a workspace that was restored to an earlier state is searched as it is now', async () => {
  await using dataDir = await makeDataDir();
  await using backup = await makeDataDir();
  let workspaceId: string;
  {
    await using process = await openProcess(dataDir.path);
    workspaceId = await process.createWorkspace();
    await (await process.member('ann', workspaceId)).write('kept.md');
  }
  await cp(dataDir.path, backup.path, { recursive: true });
  await using process = await openProcess(dataDir.path);
  await using restored = await openProcess(backup.path);
  let store = process.store;
  const currentFiles = createCurrentFiles({ snapshot: (read) => store.snapshot(read) });
  await (await process.member('ann', workspaceId)).write('lost.md');
  assert.deepEqual(pathsOf(await currentFiles.read(workspaceId)), ['kept.md', 'lost.md']);
  store = restored.store;
  assert.deepEqual(pathsOf(await currentFiles.read(workspaceId)), ['kept.md']);
});
