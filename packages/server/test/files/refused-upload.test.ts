import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { writeFile } from '../../src/service/files/write-file.ts';
import { openService, personNamed } from '../support/open-service.ts';
import { removeMembership } from '../support/signed-in.ts';

test('the bytes of an upload that was refused at its end are not kept', async () => {
  await using service = await openService();
  const access = await service.openWorkspace(personNamed('ada'));
  const blobs = join(service.dataDir, 'blobs');
  const filesKept = async () =>
    (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  let keptMeanwhile = 0;
  async function* body() {
    yield new Uint8Array(300_000);
    keptMeanwhile = (await filesKept()).length;
    await removeMembership(service.deps.store, access.workspace.id, 'ada');
    yield new Uint8Array(1);
  }
  const written = writeFile(service.deps, access, {
    path: parseWorkspacePath('late.bin'),
    precondition: { kind: 'absent' },
    contentType: null,
    body: body(),
    emptyAllowed: false,
  });
  await assert.rejects(written, { code: 'not_a_member' });
  assert.equal(keptMeanwhile, 1);
  assert.deepEqual(await filesKept(), []);
});
