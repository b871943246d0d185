import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  anonymous,
  compareByCodePoint,
  foldersAbove,
  isVisibleTo,
  isWithin,
  memberViewer,
  parsePathPrefix,
  type Viewer,
  type WorkspacePath,
} from '@stoa/core';
import fc from 'fast-check';
import { scaled } from '../../../../../tests/support/random.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { longFolder, shorterLongFolder } from '../support/long-paths.ts';
import { createStoreDriver, path } from '../support/store-driver.ts';
import type { Step } from '../support/store-scripts.ts';

const viewers = [memberViewer('us_a'), memberViewer('us_b'), memberViewer('us_c'), anonymous];
const isInside = (at: string, viewer: Viewer) => isWithin(at, viewer.within);
const segment = fc.constantFrom('a', 'b', 'a b', 'A', '\u{1f600}');
const base = fc.constantFrom('', '', '', `${longFolder}/`, `${shorterLongFolder}/`);
const somePath = fc
  .tuple(base, fc.array(segment, { minLength: 1, maxLength: 4 }))
  .map(([above, parts]) => path(`${above}${parts.join('/')}`));
const records = fc.uniqueArray(fc.record({ path: somePath, ownerId: fc.constantFrom('us_a', 'us_b') }), {
  selector: (record) => record.path,
  maxLength: 8,
});

export function visibilityCases(store: () => MetadataStore): void {
  it('every query shows a member exactly the paths that the nearest privacy record leaves visible, and their key reaches', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(somePath, { maxLength: 25 }),
      records,
      fc.oneof(fc.constant(''), somePath),
      somePath,
      async (paths, privacy, prefixText, keyPath) => {
        const driver = await createStoreDriver(store());
        const { workspaceId } = driver;
        await driver.run(
          ...privacy.map(
            (record): Step => ['setPrivacy', workspaceId, { ...record, kind: 'folder', implied: false }],
          ),
          ...paths.flatMap((at): Step[] => {
            const file = driver.file(at);
            return [
              ['putFile', file],
              ['insertVersion', { ...driver.version(file), conflictOf: null }],
              ['setIcon', workspaceId, at, 'icon'],
              ['setOrder', workspaceId, at, 1],
            ];
          }),
        );
        for (const at of paths) await driver.insertChange({ path: at });
        const ownerOf = (at: string) => {
          const deciding = [path(at), ...foldersAbove(path(at)).reverse()].flatMap((above) =>
            privacy.filter((record) => record.path === above),
          );
          return deciding[0]?.ownerId ?? null;
        };
        const prefix = parsePathPrefix(prefixText);
        const narrow = ['us_a', 'us_c'].map((userId) => ({ userId, within: keyPath }));
        for (const viewer of [...viewers, ...narrow]) {
          const visible = paths.filter((at) => isVisibleTo(path(at), ownerOf(at), viewer));
          const within = visible.filter((at) => isWithin(at, prefix)).toSorted(compareByCodePoint);
          await store().snapshot(async ({ files, nodes, changes }) => {
            const listing = { workspaceId, viewer, prefix, afterPath: null };
            for (const limit of [3, 100]) {
              const page = await files.page({ ...listing, limit });
              assert.deepEqual(
                page.map((file) => file.path),
                within.slice(0, limit),
              );
              const detailed = await files.detailedPage({ ...listing, limit });
              assert.deepEqual(
                detailed.map((file) => file.path),
                within.slice(0, limit),
              );
            }
            assert.deepEqual([...(await nodes.icons(workspaceId, prefix, viewer)).keys()], within);
            assert.deepEqual([...(await nodes.orders(workspaceId, prefix, viewer)).keys()], within);
            const own = await nodes.privateTo(workspaceId, prefix, viewer);
            assert.deepEqual(
              own.map((row) => row.path),
              privacy
                .filter((record) => record.ownerId === viewer.userId && isWithin(record.path, prefix))
                .map((record) => record.path)
                .filter((at) => isInside(at, viewer))
                .toSorted(compareByCodePoint),
            );
            const feed = { workspaceId, viewer, limit: 100, includeComments: false };
            const scan = await changes.scan({ ...feed, sinceSeq: 0 });
            assert.deepEqual(
              scan.changes.map((change) => change.path),
              visible,
            );
            assert.equal(scan.scannedSeqs.length, paths.length);
            const since = await changes.since({ ...feed, since: 0, newestFirst: false });
            assert.deepEqual(
              since.map((change) => change.path),
              visible,
            );
            const used = await files.usageWithin(workspaceId, viewer);
            const usedBytes = visible.reduce((sum, at) => sum + driver.file(path(at)).sizeBytes, 0);
            assert.deepEqual(used, { usedBytes, usedFiles: visible.length, historyBytes: 0 });
            if (prefixText === '') return;
            const seen = await files.hasVisibleAtOrBelow(workspaceId, path(prefixText), viewer);
            assert.equal(seen, within.length > 0 && isInside(prefixText, viewer));
          });
        }
        for (const at of paths) {
          const decided = await store().reader.nodes.decidingPrivacy(workspaceId, at);
          assert.equal(decided?.ownerId ?? null, ownerOf(at));
          const anyone = paths.some((other) => isWithin(other, at) && ownerOf(other) === null);
          assert.equal(await store().reader.files.hasVisibleAtOrBelow(workspaceId, at, anonymous), anyone);
        }
        for (const at of [...paths, keyPath]) {
          const { files } = store().reader;
          const found = { file: await files.find(workspaceId, at), ownerId: ownerOf(at) };
          assert.deepEqual(await files.findWithOwner(workspaceId, at), found);
          assert.deepEqual(await files.findWithContent(workspaceId, at), { ...found, location: null });
          const isFolder = await files.hasBelow(workspaceId, at);
          const parent = at.includes('/') ? path(at.slice(0, at.lastIndexOf('/'))) : null;
          const isParentFolder = parent === null || (await files.hasBelow(workspaceId, parent));
          const around = { ...found, isFolder, isParentFolder };
          assert.deepEqual(await files.findWithSurroundings(workspaceId, at), around);
        }
      },
    );
    await fc.assert(property, { numRuns: scaled(60) });
  });

  it('lists follow the nearest privacy record after every sequence of changes', async () => {
    const owner = fc.constantFrom('us_a', 'us_b');
    const change = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constant('put' as const), somePath) },
      fc.tuple(fc.constant('remove' as const), somePath),
      { weight: 3, arbitrary: fc.tuple(fc.constant('hide' as const), somePath, owner, fc.boolean()) },
      fc.tuple(fc.constant('share' as const), somePath),
      fc.tuple(fc.constant('cover' as const), somePath, owner),
    );
    const property = fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (sequence) => {
      const driver = await createStoreDriver(store());
      const { workspaceId } = driver;
      const files = new Set<WorkspacePath>();
      const privacy = new Map<WorkspacePath, { readonly ownerId: string; readonly implied: boolean }>();
      const make = (step: (typeof sequence)[number]): Step[] => {
        const at = step[1];
        switch (step[0]) {
          case 'put':
            files.add(at);
            return [
              ['putFile', driver.file(at)],
              ['setIcon', workspaceId, at, 'icon'],
              ['setOrder', workspaceId, at, 1],
            ];
          case 'remove':
            files.delete(at);
            return [
              ['removeFile', workspaceId, at],
              ['setIcon', workspaceId, at, null],
              ['setOrder', workspaceId, at, null],
            ];
          case 'hide': {
            const record = { ownerId: step[2], implied: step[3] };
            privacy.set(at, record);
            return [['setPrivacy', workspaceId, { path: at, kind: 'folder', ...record }]];
          }
          case 'share':
            privacy.delete(at);
            return [['clearPrivacy', workspaceId, at]];
          case 'cover':
            for (const [path, { ownerId, implied }] of privacy) {
              if (path !== at && isWithin(path, at) && ownerId === step[2] && implied) privacy.delete(path);
            }
            return [['clearImpliedPrivacyBelow', workspaceId, at, step[2]]];
        }
      };
      await driver.run(...sequence.flatMap(make));
      const ownerOf = (at: WorkspacePath) =>
        [at, ...foldersAbove(at).reverse()].map((above) => privacy.get(above)).find(Boolean)?.ownerId ?? null;
      const everything = parsePathPrefix('');
      await store().snapshot(async (reader) => {
        for (const viewer of viewers) {
          const visible = [...files]
            .filter((at) => isVisibleTo(at, ownerOf(at), viewer))
            .toSorted(compareByCodePoint);
          const listing = { workspaceId, viewer, prefix: everything, afterPath: null, limit: 100 };
          const page = await reader.files.page(listing);
          assert.deepEqual(
            page.map((file) => file.path),
            visible,
          );
          assert.deepEqual([...(await reader.nodes.icons(workspaceId, everything, viewer)).keys()], visible);
          assert.deepEqual([...(await reader.nodes.orders(workspaceId, everything, viewer)).keys()], visible);
        }
        const wrong = reader.checks.rules.find(({ name }) => name === 'record_owner_wrong');
        assert.ok(wrong !== undefined);
        const asked = { limit: 10, pageRows: 1000, workspaceId };
        assert.deepEqual(await reader.checks.findings(wrong, asked), []);
      });
    });
    await fc.assert(property, { numRuns: scaled(60) });
  });

  it('a deep path is decided by the record at its top', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const deep = path(Array.from({ length: 500 }, () => 'd').join('/'));
    await driver.putFile(deep);
    await driver.setPrivacy({ path: path('d'), kind: 'folder', ownerId: 'us_a' });
    const seen = async (userId: string) =>
      await store().reader.files.hasVisibleAtOrBelow(workspaceId, path('d/d'), memberViewer(userId));
    assert.deepEqual([await seen('us_a'), await seen('us_b')], [true, false]);
  });

  it('a long stretch of hidden files is skipped', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const hidden = Array.from({ length: 5000 }, (_, i) => path(`hidden/${i}`));
    await driver.run(...hidden.map((at): Step => ['putFile', driver.file(at)]));
    await driver.putFile(path('zebra'));
    await driver.setPrivacy({ path: path('hidden'), kind: 'folder', ownerId: 'us_a' });
    const query = { workspaceId, prefix: parsePathPrefix(''), afterPath: null, limit: 10 };
    const { files } = store().reader;
    const others = await files.page({ ...query, viewer: memberViewer('us_b') });
    assert.deepEqual(
      others.map((file) => file.path),
      ['zebra'],
    );
    assert.equal(await files.hasVisibleAtOrBelow(workspaceId, path('hidden'), memberViewer('us_b')), false);
    assert.equal((await files.page({ ...query, viewer: memberViewer('us_a'), limit: 9999 })).length, 5001);
  });
}
