import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { createSemaphore } from '../../src/concurrency/semaphore.ts';
import { downloadWorkspace } from '../../src/service/exporting/download-workspace.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';

async function openDownload() {
  const service = await openService();
  const access = await service.openWorkspace(personNamed('Ada'));
  for (const name of ['a.txt', 'b.txt']) {
    await writeFile(service.deps, access, {
      path: parseWorkspacePath(name),
      precondition: { kind: 'absent' },
      emptyAllowed: false,
      contentType: 'text/plain',
      onConflict: 'keep',
      body: bytesOf(`${name} `.repeat(200_000)),
    });
  }
  const downloads = createSemaphore(1, { waitingMax: 0 });
  return { service, downloads, start: () => downloadWorkspace({ ...service.deps, downloads }, access) };
}

test('an abandoned download releases its permit', async () => {
  const { service, downloads, start } = await openDownload();
  await using _service = service;
  for (let taken = 1; taken <= 3; taken += 1) {
    const download = start();
    for (let chunks = 0; chunks < taken; chunks += 1) assert.equal((await download.next()).done, false);
    await assert.rejects(downloads.acquire('Ada'), WorkspaceError);
    await download.return(undefined);
    (await downloads.acquire('Ada'))();
  }
});

test('a download with missing bytes never completes', async () => {
  const { service, start } = await openDownload();
  await using _service = service;
  const blobs = join(service.dataDir, 'blobs');
  for (const name of await readdir(blobs, { recursive: true })) {
    if (/[0-9a-f]{64}/.test(name)) await rm(join(blobs, name), { recursive: true, force: true });
  }
  await assert.rejects(
    async () => {
      for await (const chunk of start()) void chunk;
    },
    (error) => error instanceof WorkspaceError && error.code === 'stored_bytes_missing',
  );
});
