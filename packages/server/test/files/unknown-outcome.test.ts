import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { viewerOf } from '../../src/service/access/workspace-access.ts';
import { openContent } from '../../src/service/files/open-content.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openTestStore } from '../auth/support/open-test-store.ts';

const path = parseWorkspacePath('large.bin');
const body = new Uint8Array(200_000).fill(7);

test('when the database goes away after it kept a large file, its bytes are still there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-unknown-'));
  const store = await openTestStore(folder);
  t.after(async () => {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const blobs = await openDiskBlobStore({ directory: join(folder, 'blobs'), onFatal: assert.fail });
  let made = 0;
  const deps = {
    store,
    blobs,
    clock: () => 1,
    ids: (prefix: string) => `${prefix}_${++made}`,
    plans: { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 1_000_000 },
    seedWorkspaces: false,
  };
  const actor = {
    principal: 'human',
    userId: 'us_ada',
    keyId: null,
    keyLabel: null,
    userName: 'Ada',
  } as const;
  const { id } = await createWorkspace(deps, { actor }, { name: 'Home', icon: null, color: null });
  const workspace = await store.reader.workspaces.find(id);
  assert.ok(workspace);
  const access = { workspace, role: 'owner', actor, viewer: viewerOf({ actor }) } as const;

  const goingAway: MetadataStore = {
    ...store,
    reader: store.reader,
    async transact(script, command) {
      await store.transact(script, command);
      throw new WorkspaceError('overloaded', {}, 'whether it was kept is not known');
    },
  };
  const write = { path, precondition: { kind: 'absent' }, contentType: null, emptyAllowed: false } as const;
  const written = writeFile({ ...deps, store: goingAway }, access, { ...write, body: chunksOf(body) });
  await assert.rejects(written, { code: 'overloaded' });

  const kept = await store.reader.files.find(id, path);
  assert.ok(kept);
  const content = await openContent(deps, kept, { start: 0, end: kept.sizeBytes });
  const chunks = content instanceof Uint8Array ? [content] : await Array.fromAsync(content);
  assert.deepEqual(new Uint8Array(Buffer.concat(chunks)), body);
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.slice(at, at + 50_000);
}
