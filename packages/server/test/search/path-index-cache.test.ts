import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createPathIndexes, type SearchablePaths } from '../../src/service/search/path-index-cache.ts';
import { makeDataDir, openProcess } from './support/searched-workspace.ts';

const pathsOf = ({ index }: SearchablePaths) => index.chunks.flatMap(({ paths }) => paths);

/** The store, with `around` called for each snapshot, and a count of the times that all paths were read from the start. */
function observed(
  store: MetadataStore,
  around: (read: () => Promise<void>) => Promise<void> = (read) => read(),
) {
  const counts = { fullReads: 0 };
  const snapshot: MetadataStore['snapshot'] = async (read) => {
    const results: Awaited<ReturnType<typeof read>>[] = [];
    await around(async () => {
      const result = await store.snapshot((reader) => {
        const pathsPage: typeof reader.files.pathsPage = (query) => {
          if (query.afterPath === null) counts.fullReads += 1;
          return reader.files.pathsPage(query);
        };
        return read({ ...reader, files: { ...reader.files, pathsPage } });
      });
      results.push(result);
    });
    const [result] = results;
    if (result === undefined) throw new Error('nothing was read');
    return result;
  };
  return { counts, snapshot };
}

test('a search during a read of the paths sees changes made since that read began', async () => {
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
  const indexes = createPathIndexes({ snapshot });
  const first = indexes.read(workspaceId);
  await begun.promise;
  await ann.write('meanwhile.md');
  const later = [indexes.read(workspaceId), indexes.read(workspaceId)];
  released.resolve();
  assert.deepEqual(pathsOf(await first), ['before.md']);
  for (const read of later) assert.deepEqual(pathsOf(await read), ['before.md', 'meanwhile.md']);
});

test('searches that come at the same time share one reading of all paths, and later ones follow the feed', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  await ann.write('a.md');
  const { counts, snapshot } = observed(process.store);
  const indexes = createPathIndexes({ snapshot }, { indexBytesMax: 1 });
  await Promise.all(Array.from({ length: 10 }, () => indexes.read(workspaceId)));
  await ann.write('b.md');
  assert.deepEqual(pathsOf(await indexes.read(workspaceId)), ['a.md', 'b.md']);
  assert.equal(counts.fullReads, 1, 'also when the index is larger than all indexes may be');
});

test('the index not used for longest makes room', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const ids = [await process.createWorkspace(), await process.createWorkspace()] as const;
  for (const id of ids) await (await process.member('ann', id)).write('a.md');
  const { counts, snapshot } = observed(process.store);
  const indexes = createPathIndexes({ snapshot }, { indexBytesMax: 1 });
  for (const id of [ids[0], ids[1], ids[1], ids[0]])
    assert.deepEqual(pathsOf(await indexes.read(id)), ['a.md']);
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
  const indexes = createPathIndexes({ snapshot });
  const first = indexes.read(workspaceId);
  const second = indexes.read(workspaceId);
  await assert.rejects(first, /went away/);
  broken = false;
  assert.deepEqual(pathsOf(await second), ['a.md']);
  assert.deepEqual(pathsOf(await indexes.read(workspaceId)), ['a.md']);
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
  const indexes = createPathIndexes({ snapshot: (read) => store.snapshot(read) });
  await (await process.member('ann', workspaceId)).write('lost.md');
  assert.deepEqual(pathsOf(await indexes.read(workspaceId)), ['kept.md', 'lost.md']);
  store = restored.store;
  assert.deepEqual(pathsOf(await indexes.read(workspaceId)), ['kept.md']);
});
