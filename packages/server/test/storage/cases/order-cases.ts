import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareByCodePoint, isWithin, memberViewer, parsePathPrefix, type WorkspacePath } from '@stoa/core';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { longestPath, longFolder, shorterLongFolder } from '../support/long-paths.ts';
import { createStoreDriver, path, type StoreDriver } from '../support/store-driver.ts';

/** Names around a folder's own, and two that UTF-16 and code points order differently. */
const shortNames = [
  'a',
  'a b',
  'a-b',
  'a.md',
  'b/x',
  'b/x/y',
  'b!',
  'b0',
  'b/\u{ffee}',
  'b/\u{1f600}',
  'B/x',
  'é',
  'z',
  '\u{ffee}',
  '\u{1f600}',
  '\u{10ffff}\u{10ffff}',
];
const longFolders = [longFolder, shorterLongFolder];
const names = [
  ...shortNames,
  ...longFolders.flatMap((folder) => [
    `${folder} `,
    `${folder}0`,
    ...shortNames.map((name) => `${folder}/${name}`),
  ]),
  longestPath,
];

export function orderCases(store: () => MetadataStore): void {
  const filled = async (): Promise<StoreDriver> => {
    const driver = await createStoreDriver(store());
    for (const name of names) {
      const file = driver.file(path(name));
      await driver.run(
        ['putFile', file],
        ['insertVersion', { ...driver.version(file), conflictOf: null }],
        ['setIcon', driver.workspaceId, path(name), `icon of ${name}`],
        ['setOrder', driver.workspaceId, path(name), name.length],
      );
    }
    return driver;
  };
  const inOrder = (prefix: string) =>
    names
      .map((name) => path(name))
      .filter((name) => isWithin(name, prefix))
      .toSorted(compareByCodePoint);

  it('files come by code point, the same in one page and in many', async () => {
    const { workspaceId } = await filled();
    for (const prefix of ['', 'a', 'b', 'b/x', 'none', 'é', ...longFolders, `${longFolder}/b`, longestPath]) {
      const query = { workspaceId, viewer: memberViewer('us_a'), prefix: parsePathPrefix(prefix) };
      for (const limit of [1, 3, 1000]) {
        const listed: WorkspacePath[] = [];
        for (let afterPath: WorkspacePath | null = null; ; ) {
          const page = await store().reader.files.page({ ...query, afterPath, limit });
          assert.ok(page.length <= limit);
          listed.push(...page.map((file) => file.path));
          afterPath = listed.at(-1) ?? null;
          if (page.length < limit) break;
        }
        assert.deepEqual(listed, inOrder(prefix), `prefix "${prefix}" by ${limit}`);
      }
    }
  });

  it('all files can be paged through for searches', async () => {
    const { workspaceId } = await filled();
    const first = await store().reader.files.contentsPage({ workspaceId, afterPath: null, limit: 5 });
    const rest = await store().reader.files.contentsPage({
      workspaceId,
      afterPath: first.at(-1)?.path ?? null,
      limit: 100,
    });
    assert.deepEqual(
      [...first, ...rest].map((file) => file.path),
      inOrder(''),
    );
  });

  it('icons and orders are those at or under the prefix', async () => {
    const { workspaceId } = await filled();
    for (const prefix of ['', 'b', 'b/x', 'none', ...longFolders, `${shorterLongFolder}/b`, longestPath]) {
      const { icons, orders } = store().reader.nodes;
      const expected = inOrder(prefix);
      const foundIcons = await icons(workspaceId, parsePathPrefix(prefix), memberViewer('us_a'));
      assert.deepEqual(
        [...foundIcons],
        expected.map((name) => [name, `icon of ${name}`]),
      );
      const foundOrders = await orders(workspaceId, parsePathPrefix(prefix), memberViewer('us_a'));
      assert.deepEqual(
        [...foundOrders],
        expected.map((name) => [name, name.length]),
      );
    }
  });

  it('an icon or an order that is cleared is gone', async () => {
    const driver = await filled();
    const { workspaceId } = driver;
    await driver.run(
      ['setIcon', workspaceId, path('a'), 'new'],
      ['setIcon', workspaceId, path('z'), null],
      ['setOrder', workspaceId, path('a'), -7],
      ['setOrder', workspaceId, path('z'), null],
    );
    const icons = await store().reader.nodes.icons(workspaceId, parsePathPrefix(''), memberViewer('us_a'));
    const orders = await store().reader.nodes.orders(workspaceId, parsePathPrefix(''), memberViewer('us_a'));
    assert.deepEqual([icons.get(path('a')), icons.has(path('z'))], ['new', false]);
    assert.deepEqual([orders.get(path('a')), orders.has(path('z'))], [-7, false]);
  });

  it('only what is below a folder is below it', async () => {
    const { workspaceId } = await filled();
    const below = (folder: string) => store().reader.files.hasBelow(workspaceId, path(folder));
    assert.deepEqual(
      [await below('b'), await below('b/x'), await below('a'), await below('b/x/y')],
      [true, true, false, false],
    );
    const around = async (at: string) => {
      const { file, ownerId, isFolder, isParentFolder } = await store().reader.files.findWithSurroundings(
        workspaceId,
        path(at),
      );
      assert.deepEqual([file, ownerId], [await store().reader.files.find(workspaceId, path(at)), null]);
      return [isFolder, isParentFolder];
    };
    assert.deepEqual(await around('b'), [true, true]);
    assert.deepEqual(await around('b/x'), [true, true]);
    assert.deepEqual(await around('b/x/y'), [false, true]);
    assert.deepEqual(await around('b/x/y/z'), [false, false]);
    assert.deepEqual(await around('new'), [false, true]);
    assert.deepEqual(await around('new/deep'), [false, false]);
  });
}
