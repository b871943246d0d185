import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WorkspacePath } from '@stoa/core';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, path } from '../support/store-driver.ts';

export function workspaceCases(store: () => MetadataStore): void {
  it('a new workspace is empty and has no settings', async () => {
    const { workspaceId } = await createStoreDriver(store());
    assert.deepEqual(await store().reader.workspaces.find(workspaceId), {
      id: workspaceId,
      name: 'Tests',
      icon: null,
      color: null,
      theme: null,
      themeCss: null,
      planId: null,
      lapsed: false,
      seq: 0,
      usedBytes: 0,
      usedFiles: 0,
      historyBytes: 0,
      comments: 0,
      privacyRecords: 0,
      createdAt: 1,
    });
    assert.equal(await store().reader.workspaces.find('ws_none'), null);
  });

  it('a setting that is changed leaves the others alone', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    await driver.run(
      ['updateWorkspace', workspaceId, { icon: '🌊', themeCss: 'a{}', lapsed: true, planId: 'pro' }],
      ['updateWorkspace', workspaceId, { name: 'Renamed', color: 'rose', theme: 'nord' }],
      ['updateWorkspace', workspaceId, { icon: null }],
      ['updateWorkspace', workspaceId, {}],
    );
    const found = await store().reader.workspaces.find(workspaceId);
    const { name, icon, color, theme, themeCss, lapsed, planId } = found ?? assert.fail();
    assert.deepEqual(
      [name, icon, color, theme, themeCss, lapsed, planId],
      ['Renamed', null, 'rose', 'nord', 'a{}', true, 'pro'],
    );
  });

  it('seqs are taken in order and the usage moves with them', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const results = await driver.run(
      ['takeSeqs', workspaceId, 3, { bytes: 10, files: 2 }],
      ['takeSeqs', workspaceId, 1, { bytes: -4, files: -1, historyBytes: 4 }],
      ['lockWorkspace', workspaceId],
    );
    assert.deepEqual(results.slice(0, 2), [1, 4]);
    assert.deepEqual(results[2], await store().reader.workspaces.find(workspaceId));
    const { seq, usedBytes, usedFiles, historyBytes } =
      (await store().reader.workspaces.find(workspaceId)) ?? assert.fail();
    assert.deepEqual([seq, usedBytes, usedFiles, historyBytes], [4, 6, 1, 4]);
    assert.deepEqual(await driver.run(['lockWorkspace', 'ws_none']), [null]);
  });

  it('a person sees their role, and their workspaces oldest first', async () => {
    const driver = await createStoreDriver(store());
    const other = await createStoreDriver(store());
    const userId = `us_of_${driver.workspaceId}`;
    await driver.run(
      ['insertMember', { workspaceId: driver.workspaceId, userId, role: 'admin', createdAt: 1 }],
      ['insertMember', { workspaceId: other.workspaceId, userId, role: 'owner', createdAt: 2 }],
    );
    const { workspaces } = store().reader;
    assert.equal((await workspaces.findWithRole(driver.workspaceId, userId))?.role, 'admin');
    assert.equal((await workspaces.findWithRole(driver.workspaceId, 'us_none'))?.role, null);
    assert.equal(await workspaces.findWithRole('ws_none', userId), null);
    const listed = await workspaces.listOf(userId);
    const expected = [
      [driver.workspaceId, 'admin'],
      [other.workspaceId, 'owner'],
    ].toSorted();
    assert.deepEqual(
      listed.map(({ workspace, role }) => [workspace.id, role]),
      expected,
    );
  });

  it('an operator pages through all workspaces', async () => {
    const { workspaceId } = await createStoreDriver(store());
    await createStoreDriver(store());
    const seen: string[] = [];
    for (let afterId = ''; ; ) {
      const page = await store().reader.workspaces.page(afterId, 1);
      if (page[0] === undefined) break;
      afterId = page[0].id;
      seen.push(afterId);
    }
    assert.ok(seen.includes(workspaceId));
    assert.deepEqual(seen, [...new Set(seen)].toSorted());
  });

  it('privacy records are counted once each', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const count = async () => (await store().reader.workspaces.find(workspaceId))?.privacyRecords;
    const at = path('docs/a');
    await driver.setPrivacy({ path: at, kind: 'file', ownerId: 'us_a' });
    await driver.setPrivacy({ path: at, kind: 'folder', ownerId: 'us_b', implied: true });
    assert.equal(await count(), 1);
    const decided = await store().reader.nodes.decidingPrivacy(workspaceId, at);
    assert.deepEqual(decided, { path: at, kind: 'folder', ownerId: 'us_b', implied: true });
    await driver.run(['clearPrivacy', workspaceId, at], ['clearPrivacy', workspaceId, at]);
    assert.equal(await count(), 0);
  });

  it('implied records below a folder vanish, chosen ones and those of others stay', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const record = (at: string, ownerId: string, implied: boolean) =>
      driver.setPrivacy({ path: path(at), kind: 'file', ownerId, implied });
    await record('docs', 'us_a', true);
    await record('docs/implied', 'us_a', true);
    await record('docs/chosen', 'us_a', false);
    await record('docs/other', 'us_b', true);
    await record('docs2/x', 'us_a', true);
    await driver.run(['clearImpliedPrivacyBelow', workspaceId, path('docs'), 'us_a']);
    const page = (afterPath: WorkspacePath | null, limit: number) =>
      store().reader.nodes.privacyPage({ workspaceId, afterPath, limit });
    const left = await page(null, 10);
    assert.deepEqual(
      left.map((row) => row.path),
      ['docs', 'docs/chosen', 'docs/other', 'docs2/x'],
    );
    assert.equal((await store().reader.workspaces.find(workspaceId))?.privacyRecords, 4);
    const rest = await page(path('docs'), 2);
    assert.deepEqual(
      rest.map((row) => row.path),
      ['docs/chosen', 'docs/other'],
    );
    assert.deepEqual(await page(path('docs2/x'), 10), []);
  });
}
