import assert from 'node:assert/strict';
import { it } from 'node:test';
import { anonymous, type ContentHash, parsePathPrefix } from '@stoa/core';
import type { FrontMatter } from '../../../src/service/ports/front-matter.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, hashOf, path, type StoreDriver } from '../support/store-driver.ts';
import type { Step } from '../support/store-scripts.ts';

const nothing: FrontMatter = { date: null, title: null, view: null };

export function frontMatterCases(store: () => MetadataStore): void {
  const detailedPage = ({ workspaceId }: StoreDriver) =>
    store().reader.files.detailedPage({
      workspaceId,
      viewer: anonymous,
      prefix: parsePathPrefix(''),
      afterPath: null,
      limit: 10,
    });

  it('a detailed page has the current version of each file, and what its content begins with', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const stamp = { principal: 'agent', actorId: 'us_b', actorKeyId: 'key', actorLabel: 'Claude' } as const;
    const a = driver.file(path('a'), { version: 2, contentHash: hashOf('2') });
    const b = driver.file(path('b'), { contentHash: hashOf('3') });
    await driver.run(
      ['putFile', a],
      ['putFile', b],
      ['insertVersion', { ...driver.version({ ...a, version: 1 }), conflictOf: null }],
      ['insertVersion', { ...driver.version(a, { ...stamp, createdAt: 77 }), conflictOf: null }],
      ['insertVersion', { ...driver.version(b), conflictOf: null }],
      ['keepFrontMatter', workspaceId, hashOf('2'), { ...nothing, title: 'Plän', date: '2026-11-22' }],
      ['keepFrontMatter', workspaceId, hashOf('4'), { ...nothing, title: 'of no file' }],
    );
    const ofAda = {
      principal: 'human',
      actorId: 'us_actor',
      actorKeyId: null,
      actorLabel: null,
      changedAt: 5,
    };
    assert.deepEqual(await detailedPage(driver), [
      { ...a, ...stamp, changedAt: 77, frontMatter: { ...nothing, title: 'Plän', date: '2026-11-22' } },
      { ...b, ...ofAda, frontMatter: null },
    ]);
  });

  it('front matter is kept once for a content of a workspace, and another workspace has its own', async () => {
    const [one, two] = [await createStoreDriver(store()), await createStoreDriver(store())];
    for (const [driver, title] of [
      [one, 'first'],
      [one, 'second'],
      [two, 'third'],
    ] as const) {
      const { workspaceId } = driver;
      await driver.run([
        'keepFrontMatter',
        workspaceId,
        hashOf('a'),
        { ...nothing, title, view: 'calendar' },
      ]);
    }
    for (const [driver, title] of [
      [one, 'first'],
      [two, 'third'],
    ] as const) {
      const file = driver.file(path('a'));
      await driver.run(['putFile', file], ['insertVersion', { ...driver.version(file), conflictOf: null }]);
      const [found] = await detailedPage(driver);
      assert.deepEqual(found?.frontMatter, { date: null, title, view: 'calendar' });
    }
  });

  it('unread contents come in pages, each until it was read', async () => {
    const [one, two] = [await createStoreDriver(store()), await createStoreDriver(store())];
    const keep = (driver: StoreDriver, contentHash: ContentHash, sizeBytes: number): Step[] => [
      [
        'keepBlob',
        {
          workspaceId: driver.workspaceId,
          contentHash,
          sizeBytes,
          location: { kind: 'inline', bytes: new Uint8Array(sizeBytes) },
          createdAt: 1,
        },
      ],
      ['leaveUnread', driver.workspaceId, contentHash],
      ['leaveUnread', driver.workspaceId, contentHash],
    ];
    await one.run(...keep(one, hashOf('b'), 2), ...keep(one, hashOf('a'), 1));
    await two.run(...keep(two, hashOf('a'), 3));
    const unread = async () => {
      const found = [];
      for (let last = null; found.length < 100; ) {
        const page = await store().reader.frontMatter.unread(last, 2);
        found.push(...page);
        last = page.at(-1) ?? null;
        if (last === null) break;
      }
      return found.filter(({ workspaceId }) => [one.workspaceId, two.workspaceId].includes(workspaceId));
    };
    const of = (driver: StoreDriver, digit: string, sizeBytes: number) => {
      return { workspaceId: driver.workspaceId, contentHash: hashOf(digit), sizeBytes };
    };
    const all = [of(one, 'a', 1), of(one, 'b', 2), of(two, 'a', 3)];
    const inOrder = one.workspaceId < two.workspaceId ? all : [...all.slice(2), ...all.slice(0, 2)];
    assert.deepEqual(await unread(), inOrder);
    await one.run(['noteRead', one.workspaceId, hashOf('a')], ['noteRead', one.workspaceId, hashOf('9')]);
    assert.deepEqual(
      await unread(),
      inOrder.filter((each) => each !== all[0]),
    );
    await one.run(['noteRead', one.workspaceId, hashOf('b')]);
    await two.run(['noteRead', two.workspaceId, hashOf('a')]);
    assert.deepEqual(await unread(), []);
  });
}
