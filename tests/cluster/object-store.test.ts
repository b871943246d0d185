import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { startObjectStore } from '../support/object-store.ts';
import { startFaultyObjectStore } from '../support/object-store-faults.ts';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { findSwift } from '../support/swift/find-swift.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { faultsLogged } from './faults-logged.ts';
import { findFaults } from './find-faults.ts';
import { makeTeam, reachOf } from './make-team.ts';
import { playFeed } from './play-feed.ts';
import { type ReadCounts, readAtRandom } from './reading-client.ts';
import { firstOf, startCluster } from './start-cluster.ts';
import { storeFaults } from './store-faults.ts';
import { untilBack } from './until-back.ts';
import { untilSo } from './until-so.ts';
import { type Ledger, noProgress, type Progress, writeAsOnlyWriter } from './writing-client.ts';

const seed = seedFrom('STOA_CLUSTER_SEED');
const scale = sizeFrom('STOA_CLUSTER_SCALE', 1);
const readers = 3;
const changesPerFault = 6 * scale;
const readsPerFault = 8 * scale;
/**
 * The highest load during the upload of one file in parts, as a multiple of the usual load. A slow machine takes long
 * for such an upload, and the other clients would load it all that time.
 */
const timesOutsideParts = 3;
const restarts = scale;
const bucket = 'stoa-cluster';
/** One size that fits a database row, and sizes of objects that are sent in one request. */
const sizes = [4000, ...Array<number>(20).fill(70_000), 150_000, 1_000_000];
const sizeInParts = 9_000_000;

const found = await findSwift();
const skip = found.kind === 'missing' ? found.reason : false;

async function startOnObjectStore() {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const store = stack.use(await startObjectStore());
  await store.createBucket(bucket);
  const faulty = stack.use(await startFaultyObjectStore(store.endpoint));
  const location = new URLSearchParams({
    endpoint: faulty.endpoint,
    region: store.region,
    pathStyle: 'true',
  });
  const cluster = stack.use(
    await startCluster({
      STOA_DATABASE_URL: await server.createDatabase(),
      STOA_BLOB_URL: `s3://${bucket}/cluster?${location}`,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    }),
  );
  const owned = stack.move();
  after(() => owned.disposeAsync());
  return { store, faulty, cluster };
}

const started = skip === false ? await startOnObjectStore() : null;

interface Load {
  readonly progress: Progress;
  readonly counts: ReadCounts;
  /** Writes one more file, large enough to be sent in parts. */
  readonly writeInParts: () => Promise<void>;
}

/** Runs writers, followers and readers of large files at all nodes during `fail`, while the store fails. */
async function playWhile(fail: (load: Load) => Promise<void>): Promise<string> {
  assert.ok(started);
  const { cluster } = started;
  const team = await makeTeam(cluster, 2);
  const progress = noProgress();
  const counts = { whole: 0, failed: 0 };
  const random = seededRandom(seed);
  let isOver = false;
  const readsSoFar = () => counts.whole + counts.failed;
  /** The limits of the load while a file is written in parts. */
  let alongside: {
    readonly changesMax: number;
    readonly readsMax: number;
    readonly written: Promise<void>;
  } | null = null;
  const isOverForWriters = async () => {
    if (alongside !== null && progress.acknowledged >= alongside.changesMax) await alongside.written;
    return isOver;
  };
  const isOverForReaders = async () => {
    if (alongside !== null && readsSoFar() >= alongside.readsMax) await alongside.written;
    return isOver;
  };
  const at = team.workspaces.map((one) => cluster.workspaceAt(one, team.owner.person.session));
  const reading = Array.from({ length: readers }, () =>
    readAtRandom(random.pick(at), {
      random: seededRandom(random.below(2 ** 31)),
      counts,
      isOver: isOverForReaders,
    }),
  );
  const inParts: Ledger[] = [];
  const writeInParts = async () => {
    const own = noProgress();
    const writing = {
      folder: `in parts/${inParts.length}`,
      sizes: [sizeInParts],
      random,
      progress: own,
      isEnough: () => own.acknowledged > 0,
    };
    const written = Promise.withResolvers<void>();
    alongside = {
      changesMax: progress.acknowledged + changesPerFault * timesOutsideParts,
      readsMax: readsSoFar() + readsPerFault * timesOutsideParts,
      written: written.promise,
    };
    try {
      inParts.push(await writeAsOnlyWriter(reachOf(cluster, firstOf(team.workspaces), team.owner), writing));
    } finally {
      alongside = null;
      written.resolve();
    }
    progress.acknowledged += own.acknowledged;
    progress.unclear += own.unclear;
  };
  const failing = fail({ progress, counts, writeInParts }).finally(() => {
    isOver = true;
  });
  const shape = { writers: 3, followers: 2, sizes, seed };
  const played = await playFeed(cluster, team, { ...shape, progress, isEnough: isOverForWriters });
  await failing;
  const ledgers = [...played.ledgers, ...inParts];
  assert.deepEqual((await Promise.all(reading)).flat(), []);
  assert.deepEqual([...played.problems, ...inParts.flatMap(({ problems }) => problems)], []);
  assert.deepEqual(played.differences, []);
  assert.deepEqual(await findFaults(at, ledgers), []);
  assert.deepEqual(cluster.processes.flatMap(faultsLogged), []);
  return `${played.summary}; ${counts.whole} reads to the end, ${counts.failed} failed`;
}

test('loses no change and returns no wrong bytes when the object store fails in every way under load', {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  assert.ok(started);
  const { faulty } = started;
  const summary = await playWhile(async ({ progress, counts, writeInParts }) => {
    await untilSo('first changes', () => progress.acknowledged >= 10);
    for (const { what, rules } of storeFaults) {
      const [changes, reads] = [progress.acknowledged, counts.whole + counts.failed];
      faulty.clear();
      for (const rule of rules) faulty.inject(rule);
      if (rules.some(({ on }) => on === 'part' || on === 'complete')) await writeInParts();
      await untilSo(
        what,
        () =>
          progress.acknowledged >= changes + changesPerFault &&
          counts.whole + counts.failed >= reads + readsPerFault &&
          rules.every(({ on }) => faulty.seen.includes(on)),
      );
    }
    faulty.clear();
    assert.ok(counts.failed > 0, 'no read failed: no fault reached a read');
  });
  t.diagnostic(summary);
});

test('loses no change when the object store is killed and restarted under load, and every node recovers', {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  t.diagnostic(`STOA_CLUSTER_SEED=${seed} STOA_CLUSTER_SCALE=${scale}`);
  assert.ok(started);
  const { store, cluster } = started;
  const { owner } = await makeTeam(cluster, 1);
  const probe = cluster.workspaceAt(await createWorkspace(owner.person), owner.key.client);
  const summary = await playWhile(async ({ progress }) => {
    for (let round = 0; round < restarts; round += 1) {
      const { acknowledged, unclear } = progress;
      await untilSo('more changes', () => progress.acknowledged >= acknowledged + 20);
      await store.kill();
      await untilSo('clients get errors', () => progress.unclear >= unclear + 4);
      await store.restart();
      const back = await untilBack(probe, randomBytes(100_000));
      t.diagnostic(`back after ${back.tries} tries, ${Math.round(back.ms)} ms`);
    }
  });
  t.diagnostic(summary);
});

test('a write succeeds although the store cannot remove the unneeded copy of its bytes', {
  skip,
}, async () => {
  assert.ok(started);
  const { cluster, faulty } = started;
  faulty.clear();
  const { owner } = await makeTeam(cluster, 1);
  const workspace = await createWorkspace(owner.person);
  const bytes = randomBytes(100_000);
  assertStatus(await workspace.put('first.bin', bytes), 201);
  faulty.inject({ on: 'remove', times: 1000, fault: { kind: 'refused', status: 503, code: 'SlowDown' } });
  assertStatus(await workspace.put('second.bin', bytes), 201);
  assertStatus(await workspace.put('first.bin', bytes, { ifMatch: 7 }), 200);
  faulty.clear();
});
