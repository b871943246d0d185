import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { openHttpClient } from '../support/http-client.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import type { Attempt } from './attempt.ts';
import { findLosses } from './find-losses.ts';
import { type Observed, observeWorkspace } from './observe-workspace.ts';
import { writeUntilDeath } from './write-until-death.ts';

const writers = 16;
const workspacesPerRound = 3;
/** Each round on a home starts with more data. */
const roundsPerHome = { least: 5, most: 25 };
/** Several at once: one starts while another writes. */
const homesAtOnce = 3;
const seed = seedFrom('STOA_CRASH_SEED');

/** A service that is killed and restarted on the same data, with a user who has an account and a key. */
interface Installation extends AsyncDisposable {
  readonly ada: Person;
  readonly robot: ApiKey;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

async function install(): Promise<Installation> {
  const home = await makeServiceHome();
  const port = await freePort();
  let service = await startService({}, { home, port });
  const client = openHttpClient(service.url);
  const ada = await signUp(client);
  const robot = await createKey(ada, { name: 'Robot' });
  return {
    ada,
    robot,
    kill: () => service.end('SIGKILL'),
    async startAgain() {
      service = await startService({}, { home, port });
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

interface Round {
  readonly workspaces: readonly WorkspaceClient[];
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
}

/** Runs all writers on new workspaces. Calls `onResponses` once that many requests have a response. */
async function write(
  { ada, robot }: Installation,
  round: number,
  responsesMax: number,
  onResponses: () => Promise<void>,
  stop: () => boolean,
): Promise<Round> {
  const random = seededRandom(seed + round);
  const workspaces: WorkspaceClient[] = [];
  for (let n = 0; n < workspacesPerRound; n += 1) workspaces.push(await createWorkspace(ada, robot.client));
  let responses = 0;
  let reached: Promise<void> | null = null;
  const acknowledged = () => {
    responses += 1;
    if (responses >= responsesMax) reached ??= onResponses();
  };
  const ledgers = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      writeUntilDeath(writer, workspaces, seededRandom(random.below(2 ** 31)), acknowledged, stop),
    ),
  );
  await reached;
  const attempts = new Map(
    workspaces.map(({ id }) => [id, ledgers.flatMap((ledger) => ledger.get(id) ?? [])]),
  );
  return { workspaces, attempts };
}

async function losses({ workspaces, attempts }: Round, round: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const workspace of workspaces) {
    const known = attempts.get(workspace.id) ?? [];
    found.push(...findLosses(known, await observeWorkspace(workspace, known, round)));
  }
  return found;
}

/** Kills one installation in each of these rounds. @returns the numbers of acknowledged and interrupted changes. */
async function killAgainAndAgain(rounds: readonly number[]) {
  await using installation = await install();
  const played = new Map<number, Round>();
  let acknowledged = 0;
  let unanswered = 0;
  for (const round of rounds) {
    const random = seededRandom(seed - round);
    const kill = async () => {
      await wait(random.below(15));
      await installation.kill();
    };
    const done = await write(installation, round, 10 + random.below(400), kill, () => false);
    const all = [...done.attempts.values()].flat();
    acknowledged += all.filter(({ reported }) => reported !== null).length;
    unanswered += all.filter(({ reported }) => reported === null).length;
    await installation.startAgain();
    assert.deepEqual(await losses(done, round), [], `round ${round}, seed ${seed}`);
    played.set(round, done);
  }
  for (const [round, done] of played) {
    assert.deepEqual(await losses(done, round), [], `round ${round} after all others, seed ${seed}`);
  }
  return { acknowledged, unanswered };
}

test('a service that is killed while sixteen clients write loses nothing that it acknowledged', {
  timeout: 7_200_000,
}, async (t) => {
  const rounds = sizeFrom('STOA_CRASH_ROUNDS', 10);
  t.diagnostic(`STOA_CRASH_SEED=${seed} STOA_CRASH_ROUNDS=${rounds}`);
  const { least, most } = roundsPerHome;
  const perHome = Math.min(most, Math.max(least, Math.ceil(rounds / homesAtOnce)));
  const ofHomes = Array.from({ length: Math.ceil(rounds / perHome) }, (_, home) =>
    Array.from({ length: Math.min(perHome, rounds - home * perHome) }, (__, n) => home * perHome + n),
  ).values();
  let acknowledged = 0;
  let unanswered = 0;
  const play = async () => {
    for (const ofHome of ofHomes) {
      const came = await killAgainAndAgain(ofHome);
      acknowledged += came.acknowledged;
      unanswered += came.unanswered;
    }
  };
  await Promise.all(Array.from({ length: homesAtOnce }, play));
  t.diagnostic(`${acknowledged} changes acknowledged and kept, ${unanswered} cut off`);
  assert.ok(unanswered >= rounds, 'the service was never killed during a request');
});

test('the check detects every kind of loss after a crash', async () => {
  await using installation = await install();
  let enough = false;
  const done = await write(
    installation,
    1_000_000,
    300,
    async () => {
      enough = true;
    },
    () => enough,
  );
  const [workspace] = done.workspaces;
  assert.ok(workspace);
  const attempts = done.attempts.get(workspace.id) ?? [];
  const observed = await observeWorkspace(workspace, attempts, 3);
  assert.deepEqual(findLosses(attempts, observed), []);

  const { feed, entries } = observed;
  const middle = Math.floor(feed.length / 2);
  const firstKey = observed.versionHashes.keys().next().value ?? '';
  const damaged: Record<string, Observed> = {
    'a change missing from the feed': { ...observed, feed: feed.toSpliced(middle, 1) },
    'a change twice in the feed': {
      ...observed,
      feed: feed.toSpliced(middle, 0, ...feed.slice(middle, middle + 1)),
    },
    'the last change missing': { ...observed, feed: feed.slice(0, -1) },
    'two changes in the wrong order': {
      ...observed,
      feed: feed.toSpliced(middle, 2, ...feed.slice(middle, middle + 2).reverse()),
    },
    'a file missing from the list': { ...observed, entries: entries.slice(1) },
    'a file with other bytes': {
      ...observed,
      currentHashes: new Map([...observed.currentHashes].map(([path]) => [path, 'other'])),
    },
    'an earlier version lost': {
      ...observed,
      versionHashes: new Map([...observed.versionHashes].filter(([key]) => key !== firstKey)),
    },
    'usage that forgot bytes': { ...observed, usedBytes: observed.usedBytes - 1 },
    'usage that forgot a file': { ...observed, usedFiles: observed.usedFiles - 1 },
    'usage that forgot an earlier version': { ...observed, historyBytes: observed.historyBytes - 1 },
    'a head that fell back': { ...observed, head: observed.head - 1 },
  };
  for (const [damage, seen] of Object.entries(damaged)) {
    assert.notDeepEqual(findLosses(attempts, seen), [], damage);
  }
  for (const [at, attempt] of attempts.entries()) {
    if (attempt.reported === null) continue;
    assert.notDeepEqual(
      findLosses(attempts.toSpliced(at, 1), observed),
      [],
      `a ${attempt.kind} without an attempt`,
    );
    if (attempt.kind !== 'write') continue;
    const invented: Attempt = { ...attempt, hash: '0'.repeat(64) };
    assert.notDeepEqual(
      findLosses([...attempts, invented], observed),
      [],
      'an acknowledged write that is missing',
    );
  }
});
