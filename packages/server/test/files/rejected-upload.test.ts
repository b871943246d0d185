import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { parseWorkspacePath, type WritePrecondition } from '@stoa/core';
import { writeFile } from '../../src/service/files/write-file.ts';
import { openService, personNamed } from '../support/open-service.ts';
import { removeMembership } from '../support/signed-in.ts';

const filesKept = async (dataDir: string) =>
  (await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );

test('the bytes of an upload that is rejected at its end are deleted', async () => {
  await using service = await openService();
  const access = await service.openWorkspace(personNamed('ada'));
  let keptConcurrently = 0;
  async function* body() {
    yield new Uint8Array(300_000);
    keptConcurrently = (await filesKept(service.dataDir)).length;
    await removeMembership(service.deps.store, access.workspace.id, 'ada');
    yield new Uint8Array(1);
  }
  const written = writeFile(service.deps, access, {
    path: parseWorkspacePath('late.bin'),
    precondition: { kind: 'absent' },
    onConflict: 'keep',
    contentType: null,
    body: body(),
    emptyAllowed: false,
  });
  await assert.rejects(written, { code: 'not_a_member' });
  assert.equal(keptConcurrently, 1);
  assert.deepEqual(await filesKept(service.dataDir), []);
});

test('a large stale write whose sender keeps it leaves no bytes behind', async () => {
  await using service = await openService();
  const access = await service.openWorkspace(personNamed('ada'));
  const write = (sizeBytes: number, precondition: WritePrecondition) =>
    writeFile(service.deps, access, {
      path: parseWorkspacePath('late.bin'),
      precondition,
      onConflict: 'refuse',
      contentType: null,
      body: Readable.from([new Uint8Array(sizeBytes)]),
      emptyAllowed: false,
    });
  await write(10, { kind: 'absent' });
  const outcome = await write(300_000, { kind: 'version', version: 7, contentHash: null });
  assert.deepEqual(outcome, { kind: 'refused', currentVersion: 1 });
  assert.deepEqual(await filesKept(service.dataDir), []);
});
