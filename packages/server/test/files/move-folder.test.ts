import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { moveFolder } from '../../src/service/files/move-folder.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { openService, personNamed } from '../support/open-service.ts';

const from = parseWorkspacePath('notes');
const to = parseWorkspacePath('kept');
const icons = 700;
const orders = 1200;

test('a folder with many icons and orders is carried in steps, and other changes come between them', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const access = await service.openWorkspace(personNamed('Ada'));
  const workspaceId = access.workspace.id;
  const database = new DatabaseSync(join(service.dataDir, 'stoa.db'));
  const fill = (table: string, column: string, value: string, count: number) =>
    database.exec(
      `insert into ${table} (workspace_id, path, ${column})
       with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})
       select '${workspaceId}', 'notes/' || n || '.md', ${value} from numbers`,
    );
  fill('node_icon', 'icon', "'star' || n", icons);
  fill('node_order', 'position', 'n', orders);
  database.close();

  let transactions = 0;
  const counting: MetadataStore = {
    ...deps.store,
    reader: deps.store.reader,
    transact(script, command) {
      transactions += 1;
      return deps.store.transact(script, command);
    },
  };
  await moveFolder({ ...deps, store: counting }, access, { from, to });
  assert.equal(transactions, 4);
  const { nodes } = deps.store.reader;
  const carriedIcons = await nodes.icons(workspaceId, to, access.viewer);
  const carriedOrders = await nodes.orders(workspaceId, to, access.viewer);
  assert.equal(carriedIcons.size, icons);
  assert.equal(carriedOrders.size, orders);
  assert.equal(carriedIcons.get(parseWorkspacePath('kept/699.md')), 'star699');
  assert.equal(carriedOrders.get(parseWorkspacePath('kept/1199.md')), 1199);
  assert.equal((await nodes.icons(workspaceId, from, access.viewer)).size, 0);
  assert.equal((await nodes.orders(workspaceId, from, access.viewer)).size, 0);
});
