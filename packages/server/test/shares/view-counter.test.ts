import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createViewCounter, dayOf } from '../../src/service/shares/view-counter.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { ada, startAuth } from '../auth/support/start-auth.ts';
import { signedUp } from '../device/support/device-flow.ts';

async function counting() {
  const server = await startAuth({ signup: 'open' });
  const owner = await signedUp(server, ada);
  const fields = { name: 'Notes', icon: null, color: null };
  const { id } = await createWorkspace({ ...server.deps, seedWorkspaces: false }, owner, fields);
  const share = { id: 'share_1', workspaceId: id };
  const views = (sinceDay = 0) => server.deps.store.reader.shares.views(id, sinceDay);
  return { server, share, views, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('views that come while others are written are all counted', async () => {
  await using counted = await counting();
  const { server, share, views } = counted;
  const counter = createViewCounter(server.deps, assert.fail);
  for (let view = 0; view < 100; view += 1) counter.count(share);
  await counter.settle();
  assert.deepEqual(await views(), { total: 100, recent: 100 });
});

test('a view counts for its own day', async () => {
  await using counted = await counting();
  const { server, share, views } = counted;
  const counter = createViewCounter(server.deps, assert.fail);
  counter.count(share);
  server.advance(24 * 60 * 60 * 1000);
  counter.count(share);
  await counter[Symbol.asyncDispose]();
  assert.deepEqual(await views(dayOf(server.deps.clock())), { total: 2, recent: 1 });
  assert.deepEqual(await views(dayOf(server.deps.clock()) + 1), { total: 2, recent: 0 });
});

test('views that the storage rejected are written with the next one', async () => {
  await using counted = await counting();
  const { server, share, views } = counted;
  const { store } = server.deps;
  let isFull = true;
  const filling: MetadataStore = {
    ...store,
    reader: store.reader,
    transact: (script, command) =>
      isFull ? Promise.reject(new WorkspaceError('storage_full')) : store.transact(script, command),
  };
  const problems: string[] = [];
  const deps = { store: filling, clock: server.deps.clock };
  const counter = createViewCounter(deps, (message) => problems.push(message));
  counter.count(share);
  counter.count(share);
  await counter.settle();
  assert.equal((await views()).total, 0);
  assert.ok(problems.length > 0);
  isFull = false;
  counter.count(share);
  await counter.settle();
  assert.equal((await views()).total, 3);
});
