import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { startLoad } from '../crash/start-load.ts';
import { openHttpClient } from '../support/http-client.ts';
import { operatorRun } from '../support/operator.ts';
import { signUp } from '../support/people.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import type { HttpResponse } from '../support/response.ts';
import { serveFolder } from '../support/served-folder.ts';
import { startService } from '../support/service-process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';

/** A new disk after this many fills: written data is never removed, and the disk is in memory. */
const timesPerDisk = 20;
const roomKib = 64 * 1024;
/** The free space of a full disk. Each value makes writes of another size fail first. */
const leftKib = [0, 4, 40, 150, 600, 2000] as const;
const errorsPerTime = 12;
const responsesPerTime = 12;

const seed = seedFrom('STOA_FULL_DISK_SEED');

function isRejectedForRoom({ status, bytes }: HttpResponse): boolean {
  return status === 503 && bytes.toString().includes('"storage_full"');
}

/** Fills a disk under load repeatedly. @returns the numbers of acknowledged and rejected changes. */
async function fillUnderLoad(disk: SmallDisk, times: number, random: Random) {
  await using served = await serveFolder(disk.folder);
  let rejected = 0;
  await using load = await startLoad(served.url, random, {
    isRejection(response) {
      if (!isRejectedForRoom(response)) return false;
      rejected += 1;
      return true;
    },
  });
  const until = async (isSo: () => boolean) => assert.ok(await load.until(isSo), 'the load ended');
  const alongside = await load.addWorkspace();
  for (let time = 0; time < times; time += 1) {
    const before = load.acknowledged();
    await until(() => load.acknowledged() >= before + responsesPerTime);
    const kept = await putConcurrently(alongside, time);
    const rejectedBefore = rejected;
    await disk.leave(random.pick(leftKib));
    await until(() => rejected >= rejectedBefore + errorsPerTime);
    await assertReadAndDeleted(alongside, kept);
    await disk.leave(roomKib);
  }
  const attempts = await load.end();
  const problems: string[] = [];
  for (const workspace of load.workspaces) {
    const all = attempts.get(workspace.id) ?? [];
    problems.push(...findLosses(all, await observeWorkspace(workspace, all, 3)));
  }
  problems.push(...(await served.problems()));
  return { acknowledged: load.acknowledged(), refused: rejected, problems };
}

interface Kept {
  readonly path: string;
  readonly sha256: string;
}

async function putConcurrently(workspace: WorkspaceClient, time: number): Promise<Kept> {
  const body = randomBytes(time % 2 === 0 ? 3000 : 90_000);
  const path = `${time}.bin`;
  assert.equal((await workspace.put(path, body)).status, 201);
  return { path, sha256: hash('sha256', body) };
}

async function assertReadAndDeleted(workspace: WorkspaceClient, { path, sha256 }: Kept): Promise<void> {
  const read = await workspace.get(path);
  assert.deepEqual([read.status, hash('sha256', read.bytes)], [200, sha256]);
  const removed = await workspace.remove(path, 1);
  assert.equal(removed.status, 204, removed.bytes.toString());
}

test('a disk that fills up under load keeps acknowledged changes, reads and deletes without a restart', {
  timeout: 7_200_000,
}, async (t) => {
  const times = sizeFrom('STOA_FULL_DISKS', 2);
  t.diagnostic(`STOA_FULL_DISK_SEED=${seed} STOA_FULL_DISKS=${times}`);
  const random = seededRandom(seed);
  let [acknowledged, rejected] = [0, 0];
  for (let done = 0; done < times; done += timesPerDisk) {
    const disk = await mountSmallDisk(roomKib);
    if ('reason' in disk) return t.skip(disk.reason);
    const came = await fillUnderLoad(disk, Math.min(timesPerDisk, times - done), random);
    assert.deepEqual(came.problems, [], `STOA_FULL_DISK_SEED=${seed}`);
    acknowledged += came.acknowledged;
    rejected += came.refused;
  }
  t.diagnostic(`${acknowledged} changes acknowledged and kept, ${rejected} rejected`);
});

test('a service starts on a full disk, where reads, deletes and read-only commands work', async (t) => {
  const disk = await mountSmallDisk(roomKib);
  if ('reason' in disk) return t.skip(disk.reason);
  const backups = await mkdtemp(join(tmpdir(), 'stoa-full-backups-'));
  after(() => rm(backups, { recursive: true }));
  const variables = { STOA_DATA_DIR: join(disk.folder, 'data') };
  const first = await startService(variables);
  const client = openHttpClient(first.url);
  after(() => client.close());
  const workspace = await createWorkspace(await signUp(client));
  const kept = [await putConcurrently(workspace, 0), await putConcurrently(workspace, 1)];
  await first.end('SIGTERM');

  await disk.leave(0);
  const checked = await operatorRun(first, 'check', '--contents');
  assert.match(checked.stdout, /Nothing is wrong/, checked.stderr);
  const backed = await operatorRun(first, 'backup', backups);
  assert.match(backed.stdout, /^Backup /, backed.stderr);
  await using second = await startService(variables, { home: first.home, port: first.port });
  for (const each of kept) await assertReadAndDeleted(workspace, each);
  assert.ok(isRejectedForRoom(await workspace.put('2.bin', randomBytes(900_000))), second.log());

  await disk.leave(roomKib);
  await putConcurrently(workspace, 3);
  await second.end('SIGTERM');
  assert.deepEqual((await operatorRun(first, 'check', '--contents')).code, 0);
});
