import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Attempt } from '../crash/attempt.ts';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { writeUntilDeath } from '../crash/write-until-death.ts';
import { backUp, restore } from '../support/backups-here.ts';
import { openHttpClient } from '../support/http-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { serveFolder } from '../support/served-folder.ts';
import { createWorkspace, workspaceClient } from '../support/workspace-client.ts';

const writers = 8;
const backupsPerService = 4;
const answersBetween = 40;
const seed = seedFrom('STOA_BACKUP_SEED');

interface Taken {
  readonly name: string;
  /** What had been acknowledged by then has to be in it, in milliseconds since the epoch. */
  readonly begunAt: number;
}

/** Backups of a service that is written to all the time, each of them put back. @returns how many changes they had to have. */
async function backUpUnderLoad(folder: string, count: number, random: Random): Promise<number> {
  const [data, directory] = [join(folder, 'data'), join(folder, 'backups')];
  await mkdir(data);
  const taken: Taken[] = [];
  const attempts = new Map<string, readonly Attempt[]>();
  let credentials: Readonly<Record<string, string>>;
  {
    await using served = await serveFolder(data);
    const client = openHttpClient(served.url);
    const ada = await signUp(client);
    const robot = await createKey(ada);
    credentials = robot.client.credentials;
    const workspaces = [await createWorkspace(ada, robot.client), await createWorkspace(ada, robot.client)];
    let [answers, isOver] = [0, false];
    let onAnswer = () => {};
    const writing = Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        writeUntilDeath(
          writer,
          workspaces,
          seededRandom(random.below(2 ** 31)),
          () => {
            answers += 1;
            onAnswer();
          },
          () => isOver,
        ),
      ),
    );
    const ended = writing.then(() => assert.fail('the load ended'));
    ended.catch(() => {});
    for (let backup = 0; backup < count; backup += 1) {
      const enough = answers + random.below(2 * answersBetween);
      const reached = new Promise<void>((resolve) => {
        onAnswer = () => {
          if (answers >= enough) resolve();
        };
        onAnswer();
      });
      await Promise.race([reached, ended]);
      const begunAt = Date.now();
      taken.push({ begunAt, name: await backUp(data, directory) });
    }
    isOver = true;
    const ledgers = await writing;
    for (const { id } of workspaces)
      attempts.set(
        id,
        ledgers.flatMap((ledger) => ledger.get(id) ?? []),
      );
    await client.close();
  }
  let acknowledged = 0;
  for (const { name, begunAt } of taken) {
    const place = join(folder, `put back ${name}`);
    await restore(directory, name, place);
    await using served = await serveFolder(place);
    const client = openHttpClient(served.url).as(credentials);
    for (const [id, all] of attempts) {
      const known = all.map((attempt) =>
        (attempt.toldAt ?? Number.POSITIVE_INFINITY) <= begunAt ? attempt : { ...attempt, told: null },
      );
      acknowledged += known.filter(({ told }) => told !== null).length;
      const observed = await observeWorkspace(workspaceClient(client, id, 0), known, 3);
      const last = Number(observed.feed.at(-1)?.seq ?? 0);
      assert.equal(observed.head, last + 1_000_000);
      assert.deepEqual(findLosses(known, { ...observed, head: last }), [], `STOA_BACKUP_SEED=${seed}`);
    }
    await client.close();
    assert.deepEqual(await served.problems(), [], `STOA_BACKUP_SEED=${seed}`);
  }
  return acknowledged;
}

test('each of many backups of a service under load, put back, has exactly what was done by some moment after it began', {
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
