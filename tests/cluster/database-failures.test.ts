import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { startPostgres } from '../support/postgres.ts';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { type Cut, startTcpProxy } from '../support/tcp-proxy.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { faultsLogged } from './faults-logged.ts';
import { findFaults } from './find-faults.ts';
import { makeTeam } from './make-team.ts';
import { playFeed } from './play-feed.ts';
import { startCluster } from './start-cluster.ts';
import { untilBack } from './until-back.ts';
import { untilSo } from './until-so.ts';
import { noProgress, type Progress } from './writing-client.ts';

const seed = seedFrom('STOA_CLUSTER_SEED');
const scale = sizeFrom('STOA_CLUSTER_SCALE', 1);
const shape = { writers: 24, followers: 6, sizes: [10, 300, 4000, 70_000], seed };
const cutsOfEachKind = 30 * scale;
const cutRounds = 8 * scale;
const killRounds = 4 * scale;
const changesBetween = 120;
const commit = 'insert into commit_attempt';

const server = await startPostgres();
const proxy = await startTcpProxy(server.port);
const url = new URL(await server.createDatabase());
url.port = String(proxy.port);
const cluster = await startCluster({ STOA_DATABASE_URL: url.href });
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Runs writers and followers at all nodes during `fail`, and then checks all results. */
async function playWhile(fail: (progress: Progress) => Promise<void>): Promise<string> {
  const team = await makeTeam(cluster, 3);
  const progress = noProgress();
  let isOver = false;
  const failing = fail(progress).finally(() => {
    isOver = true;
  });
  const played = await playFeed(cluster, team, { ...shape, progress, isEnough: () => isOver });
  await failing;
  const at = team.workspaces.map((one) => cluster.workspaceAt(one, team.owner.person.session));
  assert.deepEqual(cluster.processes.flatMap(faultsLogged), []);
  assert.deepEqual(played.problems, []);
  assert.deepEqual(played.differences, []);
  assert.deepEqual(await findFaults(at, played.ledgers), []);
  return played.summary;
}

const moreChanges = (progress: Progress, count: number) => {
  const wanted = progress.acknowledged + count;
  return untilSo(`${count} more changes`, () => progress.acknowledged >= wanted);
};

const cuts: readonly Cut[] = ['before it is delivered', 'once it is delivered', 'when it is answered'];
for (const cut of cuts) {
  test(`loses and repeats no change when connections of commits are cut ${cut} at three nodes`, {
    timeout: 3_600_000,
  }, async (t) => {
    t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
    let cutSoFar = () => 0;
    const summary = await playWhile(async (progress) => {
      await moreChanges(progress, shape.writers);
      cutSoFar = proxy.cutAt(commit, cut, { every: 2, times: cutsOfEachKind });
      await untilSo(`${cutsOfEachKind} cuts`, () => cutSoFar() === cutsOfEachKind);
      await moreChanges(progress, shape.writers);
    });
    t.diagnostic(`${cutSoFar()} cuts; ${summary}`);
  });
}

test('loses and repeats no change when all database connections are cut at once, repeatedly', {
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  const summary = await playWhile(async (progress) => {
    for (let round = 0; round < cutRounds; round += 1) {
      await moreChanges(progress, 10);
      proxy.cutAll();
    }
    await moreChanges(progress, shape.writers);
  });
  t.diagnostic(`${cutRounds} times; ${summary}`);
});

test('loses no change when the database is killed and restarted under load, and every node recovers', {
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  const { owner } = await makeTeam(cluster, 1);
  const probe = cluster.workspaceAt(await createWorkspace(owner.person), owner.key.client);
  const summary = await playWhile(async (progress) => {
    for (let round = 0; round < killRounds; round += 1) {
      await moreChanges(progress, changesBetween);
      if (round % 4 === 1) await server.stop();
      else await server.kill();
      // Down for longer than a node waits, so that clients get an error.
      if (round % 4 === 2) {
        const reported = progress.rejected + progress.unclear;
        await untilSo(
          'clients get errors',
          () => progress.rejected + progress.unclear >= reported + shape.writers / 2,
        );
      }
      await server.restart();
      const back = await untilBack(probe, randomBytes(1000));
      t.diagnostic(`back after ${back.tries} tries, ${Math.round(back.ms)} ms`);
    }
    await moreChanges(progress, changesBetween);
  });
  t.diagnostic(summary);
});
