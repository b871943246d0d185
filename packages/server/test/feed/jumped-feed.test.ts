import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { jumpFeeds } from '../../src/service/checking/repair.ts';
import { deleteFile } from '../../src/service/files/delete-file.ts';
import { listVersions } from '../../src/service/files/list-versions.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';
import { bytesOf, openService, personNamed } from '../support/open-service.ts';
import { addMember, signedIn } from '../support/signed-in.ts';

test('traces of a private file at a path stay private across a jump of the feed', async () => {
  await using service = await openService();
  const { deps } = service;
  const { workspace } = await service.openWorkspace(personNamed('ada'));
  await addMember(deps.store, workspace.id, 'ben');
  const opened = (caller: Caller) => openWorkspace(deps, caller, workspace.id);
  const [ada, ben] = [await signedIn(deps.store, 'ada'), await signedIn(deps.store, 'ben')];
  const path = parseWorkspacePath('mine.md');
  await writeFile(deps, await opened(ada), {
    path,
    precondition: { kind: 'absent' },
    onConflict: 'keep',
    contentType: null,
    body: bytesOf('mine'),
    emptyAllowed: false,
  });
  await setNodePrivate(deps, await opened(ada), { path, kind: 'file', private: true });
  const before = workspace.seq;
  await jumpFeeds(deps);
  const { seq } = (await opened(ada)).workspace;
  assert.ok(seq > before + 1_000_000_000, `${seq}`);
  await deleteFile(deps, await opened(ada), { path, expected: { version: 1, contentHash: null } });
  await assert.rejects(listVersions(deps, await opened(ben), { path }), { code: 'file_not_found' });
  assert.equal((await listVersions(deps, await opened(ada), { path })).length, 1);
});
