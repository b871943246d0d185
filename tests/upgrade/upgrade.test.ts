import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { startService } from '../support/service-process.ts';
import { assertHolds } from './assert-holds.ts';
import {
  fixtureBackEnds,
  fixturesFolder,
  homeOf,
  observedFile,
  type Recorded,
  readRecorded,
} from './fixtures.ts';
import { observeService } from './observe-service.ts';
import { signIn } from './sign-in.ts';

async function assertKeepsWorking(url: string, { filled, observed }: Recorded): Promise<void> {
  const { workspaceId, people } = filled;
  const [ada] = people;
  assert.ok(ada);
  const client = await signIn(url, ada);
  const { head, workspace } = JSON.parse(JSON.stringify(observed))[ada.name];
  const path = 'plans/opening-day.md';
  const [newest] = (await client.listVersions(workspaceId, path)).versions;
  assert.ok(newest);
  const { entries } = await client.list(workspaceId, { details: true });
  assert.ok(entries.length > 1);
  for (const { path, contentHash, changedAt, actorId, actorLabel } of entries) {
    const [current] = (await client.listVersions(workspaceId, path)).versions;
    assert.ok(current);
    assert.deepEqual(
      [contentHash, changedAt, actorId, actorLabel],
      [current.contentHash, current.createdAt, current.actorId, current.actorLabel],
      path,
    );
  }
  const before = await client.usage(workspaceId);
  const text = 'Doors open at noon.';
  const version = newest.version + 1;
  const written = await client.writeFile(workspaceId, path, text, { kind: 'version', version: version - 1 });
  assert.deepEqual(written, { kind: 'updated', path, version });
  const { changes } = await client.readChanges(workspaceId, { sinceSeq: head });
  assert.deepEqual(
    changes.map(({ op, path, version }) => [op, path, version]),
    [['write', path, version]],
  );
  const after = await client.usage(workspaceId);
  assert.equal(after.usedBytes, before.usedBytes + text.length - newest.size);
  assert.equal(after.historyBytes, before.historyBytes + newest.size);
  const [thread] = (await client.listComments(workspaceId, { path })).threads;
  assert.ok(thread);
  const { entry } = await client.reply(workspaceId, thread.id, { body: 'Still here.' });
  assert.equal(entry.threadId, thread.id);
  const large = 'reports/large.txt';
  const restored = await client.restore(workspaceId, { path: large, targetVersion: 2 });
  assert.equal(restored.kind, 'restored');
  assert.equal((await client.search(workspaceId, 'openday')).results[0]?.path, path);
  const created = await client.createWorkspace({ name: 'Made later' });
  assert.equal(created.kind, 'created');
  const asAgent = createStoaClient({ baseUrl: url, apiKey: filled.agentKey });
  assert.equal((await asAgent.workspace()).name, workspace.name);
  const asRevoked = createStoaClient({ baseUrl: url, apiKey: filled.revokedKey });
  await assert.rejects(
    asRevoked.me(),
    (error) => error instanceof StoaApiError && error.data.reason === 'KEY_NOT_FOUND',
  );
  // The invite was valid when recorded, and is 410 some months later. An unknown invite would be 404.
  await client.previewInvite(filled.inviteToken).catch((error) => {
    assert.ok(error instanceof StoaApiError && error.status === 410, String(error));
  });
}

for (const version of (await readdir(fixturesFolder)).toSorted()) {
  describe(`the data of version ${version}`, () => {
    for (const backEnd of fixtureBackEnds) {
      test(`is complete on ${backEnd}, and can be changed`, async () => {
        const folder = join(fixturesFolder, version, backEnd);
        const recorded = await readRecorded(folder);
        await using home = await homeOf(folder, backEnd);
        await using service = await startService({}, { home });
        const observed = await observeService(service.url, recorded.filled);
        assertHolds(observed, recorded.observed, observedFile);
        await assertKeepsWorking(service.url, recorded);
      });
    }
  });
}
