import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Attempt, countAcknowledged, knownAt } from '../crash/attempt.ts';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { startLoad } from '../crash/start-load.ts';
import { assertJumped } from '../support/assert-jumped.ts';
import { backUp, restore } from '../support/backups-here.ts';
import { openHttpClient } from '../support/http-client.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { serveFolder } from '../support/served-folder.ts';
import { workspaceClient } from '../support/workspace-client.ts';

const backupsPerService = 4;
const responsesBetween = 40;
/** Before each backup, so that it must have some changes. */
const responsesMin = 16;
const seed = seedFrom('STOA_BACKUP_SEED');

interface Taken {
  readonly name: string;
  /** The backup must have all changes acknowledged by this time, in milliseconds since the epoch. */
  readonly begunAt: number;
}

/**
 * Backs up a service under constant writes, and restores each backup. @returns the number of changes that they
 * had to have.
 */
async function backUpUnderLoad(folder: string, count: number, random: Random): Promise<number> {
  const [data, directory] = [join(folder, 'data'), join(folder, 'backups')];
  await mkdir(data);
  const taken: Taken[] = [];
  let attempts: ReadonlyMap<string, readonly Attempt[]>;
  let credentials: Readonly<Record<string, string>>;
  {
    await using served = await serveFolder(data);
    await using load = await startLoad(served.url, random);
    credentials = load.credentials;
    for (let backup = 0; backup < count; backup += 1) {
      const enough = load.acknowledged() + responsesMin + random.below(2 * responsesBetween);
      assert.ok(await load.until(() => load.acknowledged() >= enough), 'the load ended');
      const begunAt = Date.now();
      taken.push({ begunAt, name: await backUp(data, directory) });
    }
    attempts = await load.end();
  }
  let acknowledged = 0;
  for (const { name, begunAt } of taken) {
    const location = join(folder, `put back ${name}`);
    const restoredAt = Date.now();
    await restore(directory, name, location);
    await using served = await serveFolder(location);
    const client = openHttpClient(served.url).as(credentials);
    for (const [id, all] of attempts) {
      const known = knownAt(all, begunAt);
      acknowledged += countAcknowledged(known);
      const observed = await observeWorkspace(workspaceClient(client, id, 0), known, 3);
      const last = Number(observed.feed.at(-1)?.seq ?? 0);
      assertJumped(last, observed.head, restoredAt);
      assert.deepEqual(findLosses(known, { ...observed, head: last }), [], `STOA_BACKUP_SEED=${seed}`);
    }
    await client.close();
    assert.deepEqual(await served.problems(), [], `STOA_BACKUP_SEED=${seed}`);
  }
  return acknowledged;
}

test('each backup of a service under load restores exactly the changes up to some moment after it began', {
  timeout: 7_200_000,
}, async (t) => {
  const backups = sizeFrom('STOA_BACKUPS', 1);
  t.diagnostic(`STOA_BACKUP_SEED=${seed} STOA_BACKUPS=${backups}`);
  const random = seededRandom(seed);
  let acknowledged = 0;
  for (let made = 0; made < backups; made += backupsPerService) {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-backups-'));
    try {
      acknowledged += await backUpUnderLoad(folder, Math.min(backupsPerService, backups - made), random);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  t.diagnostic(`${acknowledged} changes had to be in them, and were`);
  assert.ok(acknowledged > 0);
});
