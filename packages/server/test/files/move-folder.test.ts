import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { memberViewer, parseWorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { moveFolder } from '../../src/service/files/move-folder.ts';
import { moveFolderFiles } from '../../src/service/files/move-folder-files.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';

const from = parseWorkspacePath('notes');
const to = parseWorkspacePath('kept');
const ben = memberViewer('Ben');

test('a folder with many icons and orders moves in steps, and other changes run between them', async (t) => {
  const { access, deps, fill, counted, nodes, workspaceId } = await opened(t);
  const icons = 700;
  const orders = 1200;
  fill('node_icon', icons, { path: "'notes/' || n || '.md'", icon: "'star' || n" });
  fill('node_order', orders, { path: "'notes/' || n || '.md'", position: 'n' });
  await moveFolder({ ...deps, store: counted.store }, access, { from, to });
  assert.equal(counted.transactions, 10);
  const transferredIcons = await nodes.icons(workspaceId, to, access.viewer);
  const transferredOrders = await nodes.orders(workspaceId, to, access.viewer);
  assert.equal(transferredIcons.size, icons);
  assert.equal(transferredOrders.size, orders);
  assert.equal(transferredIcons.get(parseWorkspacePath('kept/699.md')), 'star699');
  assert.equal(transferredOrders.get(parseWorkspacePath('kept/1199.md')), 1199);
  assert.equal((await nodes.icons(workspaceId, from, access.viewer)).size, 0);
  assert.equal((await nodes.orders(workspaceId, from, access.viewer)).size, 0);
});

test('many private and shared folders move in steps, and no step shows a private one', async (t) => {
  const { access, deps, fill, fillPrivate, fillShares, counted, nodes, workspaceId } = await opened(t);
  fillPrivate(access, 700);
  fill('node_icon', 700, { path: "'notes/private' || n", icon: "'star'" });
  fillShares(access, 600);
  counted.afterEach = async () => {
    for (const folder of [from, to]) assert.equal((await nodes.icons(workspaceId, folder, ben)).size, 0);
  };
  await moveFolder({ ...deps, store: counted.store }, access, { from, to });
  // Each privacy record counts twice: when its new path becomes private, and when its old path is given up.
  assert.equal(counted.transactions, 14);
  assert.equal((await nodes.privateTo(workspaceId, from, access.viewer)).length, 0);
  assert.equal((await nodes.privateTo(workspaceId, to, access.viewer)).length, 700);
  assert.equal((await nodes.icons(workspaceId, to, access.viewer)).size, 700);
  const shared = (folder: typeof from) =>
    deps.store.reader.shares.sharedFolderPage({ workspaceId, folder, afterPath: null, limit: 1000 });
  assert.deepEqual(await shared(from), []);
  assert.equal((await shared(to)).length, 600);
});

test('a folder with files also moves in steps, and its private file is private in each of them', async (t) => {
  const { access, deps, fillPrivate, counted, nodes, workspaceId } = await opened(t);
  const path = parseWorkspacePath('notes/private699/plan.md');
  const write = { path, precondition: { kind: 'absent' }, onConflict: 'keep', contentType: null } as const;
  await writeFile(deps, access, { ...write, emptyAllowed: false, body: bytesOf('secret') });
  fillPrivate(access, 700);
  const { files } = deps.store.reader;
  counted.afterEach = async () => {
    for (const folder of [from, to]) {
      assert.equal(await files.hasVisibleAtOrBelow(workspaceId, folder, ben), false);
    }
  };
  assert.equal(await moveFolderFiles({ ...deps, store: counted.store }, access, { from, to }), 1);
  assert.equal(counted.transactions, 8);
  assert.equal((await nodes.privateTo(workspaceId, from, access.viewer)).length, 0);
  assert.equal((await nodes.privateTo(workspaceId, to, access.viewer)).length, 700);
});

/** A workspace of Ada's whose tables can be filled, and a store that counts its transactions. */
async function opened(t: { after(release: () => unknown): void }) {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  const workspaceId = access.workspace.id;
  const counted = {
    transactions: 0,
    afterEach: async () => {},
    store: {
      ...deps.store,
      reader: deps.store.reader,
      async transact(script, command) {
        counted.transactions += 1;
        const outcome = await deps.store.transact(script, command);
        await counted.afterEach();
        return outcome;
      },
    } satisfies MetadataStore as MetadataStore,
  };
  const run = (sql: string) => {
    const database = new DatabaseSync(join(service.dataDir, 'stoa.db'));
    database.exec(sql);
    database.close();
  };
  const fill = (table: string, count: number, columns: Readonly<Record<string, string>>) =>
    run(
      `insert into ${table} (workspace_id, ${Object.keys(columns).join(', ')})
       with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})
       select '${workspaceId}', ${Object.values(columns).join(', ')} from numbers`,
    );
  const fillPrivate = ({ viewer }: WorkspaceAccess, count: number) => {
    const columns = { kind: "'folder'", owner_id: `'${viewer.userId}'`, implied: '0' };
    fill('node_privacy', count, { path: "'notes/private' || n", ...columns });
    run(`update workspace_counter set privacy_records = ${count} where workspace_id = '${workspaceId}'`);
  };
  const fillShares = ({ viewer }: WorkspaceAccess, count: number) =>
    fill('share', count, {
      id: "'share_' || n",
      path: "'notes/shared' || n",
      kind: "'folder'",
      access: "'member'",
      token_hash: "'hash' || n",
      allow_scripts: '0',
      created_by: `'${viewer.userId}'`,
      created_at: 'n',
      views: '0',
    });
  return {
    access,
    deps,
    fill,
    fillPrivate,
    fillShares,
    counted,
    nodes: deps.store.reader.nodes,
    workspaceId,
  };
}
