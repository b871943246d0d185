import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { extract } from 'tar-stream';
import { createSemaphore } from '../../src/concurrency/semaphore.ts';
import { makeExport } from '../../src/exporting/make-export.ts';
import { openTar } from '../../src/exporting/read-tar.ts';
import { downloadWorkspace } from '../../src/service/exporting/download-workspace.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';

const paths = [
  'HEAD',
  'config',
  'objects/a',
  'refs/a',
  'plain/HEAD',
  '.hg/hgrc',
  'half/head',
  'half/commondir',
];
/** Names that git or Mercurial would look for are escaped. */
const names = [
  '%48EAD',
  'config',
  'objects/a',
  'refs/a',
  'plain/HEAD',
  '%2Ehg/hgrc',
  'half/%68ead',
  'half/commondir',
].sort();

async function openWorkspaceWithRepositories() {
  const service = await openService();
  const access = await service.openWorkspace(personNamed('Ada'));
  for (const path of paths) {
    await writeFile(service.deps, access, {
      path: parseWorkspacePath(path),
      precondition: { kind: 'absent' },
      emptyAllowed: false,
      contentType: 'text/plain',
      onConflict: 'keep',
      body: bytesOf(path),
    });
  }
  return { service, access };
}

test('a zip of a workspace makes no repository where it is unpacked', async () => {
  const { service, access } = await openWorkspaceWithRepositories();
  await using _service = service;
  const downloads = createSemaphore(1, { waitingMax: 0 });
  const zip = (await buffer(downloadWorkspace({ ...service.deps, downloads }, access))).toString('latin1');
  // Each entry's local header: 26 bytes, the two lengths, the name.
  const found = zip
    .split('PK\u0003\u0004')
    .slice(1)
    .map((entry) => {
      const length = entry.charCodeAt(22) + 256 * entry.charCodeAt(23);
      return entry.slice(26, 26 + length);
    });
  assert.deepEqual(found.sort(), names);
});

test('an export of a workspace makes no repository, and is read whatever its files are called in it', async () => {
  const { service, access } = await openWorkspaceWithRepositories();
  await using _service = service;
  const folder = await mkdtemp(join(tmpdir(), 'stoa-export-'));
  try {
    const file = join(folder, 'export.tar');
    await makeExport(service.deps, access.workspace.id, file, Date.now(), () => {});
    const tar = createReadStream(file).pipe(extract());
    const found: string[] = [];
    for await (const entry of tar) {
      found.push(entry.header.name);
      entry.resume();
    }
    const files = found.filter((name) => name.startsWith('files/'));
    assert.deepEqual(files.map((name) => name.slice('files/'.length)).sort(), names);
    // An older version wrote `files/HEAD`: a reader takes either for the same file.
    await using reader = openTar(file);
    for (const name of found) {
      const { bytes } = await reader.next(name.replace('%48EAD', 'HEAD'), { maxBytes: 1_000_000 });
      for await (const chunk of bytes) void chunk;
    }
    await reader.end();
  } finally {
    await rm(folder, { recursive: true });
  }
});
