import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { findFaults } from './find-faults.ts';
import { makeTeam, type Team } from './make-team.ts';
import { type PlayedFeed, playFeed } from './play-feed.ts';
import { seqFromSequence } from './seq-from-sequence.ts';
import { type Cluster, startCluster } from './start-cluster.ts';
import { noProgress } from './writing-client.ts';

const seed = seedFrom('STOA_CLUSTER_SEED');
const scale = sizeFrom('STOA_CLUSTER_SCALE', 1);
const changesPerWriter = 20 * scale;
const commitDelayMsMax = 30;
const shape = { writers: 32, followers: 20, sizes: [10, 300, 4000, 70_000], seed };

const server = await startPostgres();
after(() => server[Symbol.asyncDispose]());

/** Runs three nodes on their own database, where some commits take much longer than others. */
async function playOnDatabase(
  prepare: (database: string) => Promise<void>,
  check: (cluster: Cluster, team: Team, played: PlayedFeed) => Promise<void>,
): Promise<void> {
  const url = new URL(await server.createDatabase());
  const random = seededRandom(seed);
  await using proxy = await startDelayingProxy(server.port, 'insert into commit_attempt', () =>
    random.below(3) === 0 ? random.below(commitDelayMsMax) : 0,
  );
  const database = url.pathname.slice(1);
  url.port = String(proxy.port);
  await using cluster = await startCluster({ STOA_DATABASE_URL: url.href });
  const team = await makeTeam(cluster, 3);
  await prepare(database);
  const played = await playFeed(cluster, team, {
    ...shape,
    progress: noProgress(),
    isEnough: (changes) => changes >= changesPerWriter,
  });
  assert.ok(proxy.held > 0, 'no commit was delayed');
  await check(cluster, team, played);
}

test('20 followers at random nodes see every change of 32 writers at three nodes in order', {
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  await playOnDatabase(
    async () => {},
    async (cluster, { workspaces, owner }, played) => {
      t.diagnostic(played.summary);
      assert.deepEqual(played.problems, []);
      assert.deepEqual(played.differences, []);
      const at = workspaces.map((one) => cluster.workspaceAt(one, owner.person.session));
      assert.deepEqual(await findFaults(at, played.ledgers), []);
    },
  );
});

test('the same followers miss changes where seq comes from a database sequence', {
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  await playOnDatabase(
    (database) => server.run(database, seqFromSequence),
    async (_cluster, _team, { differences, summary }) => {
      const missed = differences.filter((difference) => difference.includes(' missed '));
      t.diagnostic(`${summary}; ${missed.length} missed`);
      assert.ok(missed.length > 0, 'the control missed no change: this test could not detect a broken feed');
    },
  );
});
