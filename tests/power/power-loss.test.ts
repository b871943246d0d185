import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt } from '../crash/attempt.ts';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { writeUntilDeath } from '../crash/write-until-death.ts';
import { openHttpClient } from '../support/http-client.ts';
import { findProgram } from '../support/install-program.ts';
import { operatorRun } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { createWorkspace, workspaceClient } from '../support/workspace-client.ts';
import { drawState, type Loss, losses, type RecordedDisk, recordDisk } from './disk-states.ts';
import { readTrace, tracingTo } from './read-trace.ts';

const strace = await findProgram({
  name: 'strace',
  check: 'command -v strace',
  install: 'apt-get install -y strace',
});
const skip = strace.kind === 'missing' ? strace.reason : false;
const writers = 8;
const answersPerRecording = 80;
const statesPerRecording = 40;
const traceEndTriesMax = 600;

interface Recording {
  readonly folder: string;
  readonly disk: RecordedDisk;
  /** By workspace. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  readonly credentials: Readonly<Record<string, string>>;
  /** When all that `attempts` needs was acknowledged, in milliseconds since the epoch. */
  readonly loadBegan: number;
  /** Whether a call failed that was told to. */
  readonly hadFault: boolean;
}

/** Lets a service write from its first start to its orderly end, which moves everything out of the log. */
async function record(seed: number, faults: readonly string[] = []): Promise<Recording> {
  const traces = await mkdtemp(join(tmpdir(), 'stoa-trace-'));
  try {
    await using home = await makeServiceHome('sqlite-disk');
    const folder = home.variables.STOA_DATA_DIR ?? assert.fail('a home without a folder');
    const trace = join(traces, 'calls');
    await using service = await startService({}, { home, under: tracingTo(trace, faults) });
    const client = openHttpClient(service.url);
    const ada = await signUp(client);
    const robot = await createKey(ada);
    const workspaces = [await createWorkspace(ada, robot.client), await createWorkspace(ada, robot.client)];
    const loadBegan = Date.now() + 1;
    let answers = 0;
    const ledgers = await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        writeUntilDeath(
          writer,
          workspaces,
          seededRandom(seed + writer),
          () => {
            answers += 1;
          },
          () => answers >= answersPerRecording,
          { hasFaults: faults.length > 0 },
        ),
      ),
    );
    await client.close();
    await service.end('SIGTERM');
    await traceEnded(trace);
    const attempts = new Map(
      workspaces.map(({ id }) => [id, ledgers.flatMap((ledger) => ledger.get(id) ?? [])]),
    );
    const hadFault = (await readFile(trace, 'latin1')).includes('(INJECTED)');
    const disk = recordDisk(await readTrace(trace), folder);
    await assertUnderstood(disk, folder);
    return { folder, disk, attempts, credentials: robot.client.credentials, loadBegan, hadFault };
  } finally {
    await rm(traces, { recursive: true, force: true });
  }
}

/** A disk that keeps everything holds what the folder holds: no call was missed or taken for another. */
async function assertUnderstood(disk: RecordedDisk, folder: string): Promise<void> {
  const drawn = drawState(disk, Number.POSITIVE_INFINITY, { kept: 'everything', random: seededRandom(1) });
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Shared memory of the database is not written by calls, and made anew by whoever opens it first.
    if (!entry.isFile() || path.endsWith('-shm')) continue;
    files.push(path);
    assert.ok(drawn.get(path)?.equals(await readFile(path)), `${path} is not what was recorded`);
  }
  const recorded = [...drawn].flatMap(([path, bytes]) =>
    bytes === null || path.endsWith('-shm') ? [] : [path],
  );
  assert.deepEqual(recorded.toSorted(), files.toSorted());
}

/** The tracer ends after what it traced: the last line is that of the first thread. */
async function traceEnded(trace: string): Promise<void> {
  for (let tries = 0; tries < traceEndTriesMax; tries += 1) {
    const text = await readFile(trace, 'latin1');
    const [first] = /^\d+/.exec(text) ?? [];
    if (new RegExp(`\\n${first} .*\\+\\+\\+\\n$`).test(text.slice(-100))) return;
    await wait(50);
  }
  assert.fail('the trace did not end with its program');
}

/** Starts a service on a disk in this state, and looks for what was acknowledged before the cut. */
async function problemsAfter(
  recording: Recording,
  cut: number,
  options: { kept: Loss; random: Random; areSyncsKept?: boolean },
): Promise<readonly string[]> {
  await using home = await makeServiceHome('sqlite-disk');
  const folder = home.variables.STOA_DATA_DIR ?? assert.fail('a home without a folder');
  for (const [path, bytes] of drawState(recording.disk, cut, options)) {
    const place = join(folder, relative(recording.folder, path));
    await mkdir(bytes === null ? place : dirname(place), { recursive: true, mode: 0o700 });
    if (bytes !== null) await writeFile(place, bytes, { mode: 0o600 });
  }
  await using service = await startService({}, { home });
  const problems: string[] = [];
  if (cut >= recording.loadBegan) {
    const client = openHttpClient(service.url).as(recording.credentials);
    for (const [id, attempts] of recording.attempts) {
      const known = attempts.map((attempt) =>
        isToldBefore(attempt, cut) ? attempt : { ...attempt, told: null },
      );
      const observed = await observeWorkspace(workspaceClient(client, id, 0), known, 3);
      problems.push(...findLosses(known, observed));
    }
    await client.close();
  }
  const { code, stdout } = await operatorRun(service, 'check', '--contents', '--json');
  return code === 0 ? problems : [...problems, stdout];
}

function isToldBefore({ toldAt }: Attempt, cut: number): boolean {
  return toldAt !== undefined && toldAt <= cut;
}

const seed = seedFrom('STOA_POWER_SEED');
let firstRecording: Promise<Recording> | null = null;
const recordingFor = (state: number) => {
  if (state >= statesPerRecording) return record(seed + state);
  firstRecording ??= record(seed);
  return firstRecording;
};

test('whatever a disk keeps when its power goes, all that was acknowledged is there, and the service starts', {
  timeout: 14_400_000,
  skip,
}, async (t) => {
  const states = sizeFrom('STOA_POWER_STATES', 2);
  t.diagnostic(`STOA_POWER_SEED=${seed} STOA_POWER_STATES=${states}`);
  const random = seededRandom(seed);
  let recording: Recording | null = null;
  let acknowledged = 0;
  for (let state = 0; state < states; state += 1) {
    if (recording === null || state % statesPerRecording === 0) recording = await recordingFor(state);
    // Most while clients write, some while it starts for the first time or moves its log into the database.
    const { moments } = recording.disk;
    const { entry, exit } = random.pick(moments);
    const cut = random.below(2) === 0 ? exit : (entry + exit) / 2;
    const kept = losses[state % losses.length] ?? 'nothing';
    const problems = await problemsAfter(recording, cut, { kept, random });
    assert.deepEqual(problems, [], `state ${state} of seed ${seed}: kept ${kept}`);
    acknowledged += [...recording.attempts.values()]
      .flat()
      .filter((attempt) => isToldBefore(attempt, cut)).length;
  }
  t.diagnostic(`${acknowledged} acknowledged changes were there`);
});

test('a disk that lies about what is durable is noticed', { skip }, async () => {
  const recording = await recordingFor(0);
  const ended = Math.max(...[...recording.attempts.values()].flat().map(({ toldAt = 0 }) => toldAt));
  const lying = problemsAfter(recording, ended, {
    kept: 'nothing',
    random: seededRandom(1),
    areSyncsKept: false,
  });
  // A service that lost everything knows nobody.
  assert.notDeepEqual(await lying.catch((error) => [String(error)]), []);
});

/** A service that shares its commits well may never come to the call that was to fail. */
const faultDrawsMax = 4;
/** Each thread counts its own calls: these numbers the writer comes to, and the thread that starts the service does not. */
const faultKinds = [
  (random: Random) => `fsync,fdatasync:error=EIO:when=${20 + random.below(15)}`,
  (random: Random) => `pwrite64:error=ENOSPC:when=${350 + random.below(400)}+40`,
  (random: Random) => `pwrite64:error=EIO:when=${350 + random.below(400)}`,
] as const;

test('a call to the disk that fails is nowhere taken for done', { timeout: 14_400_000, skip }, async (t) => {
  const rounds = sizeFrom('STOA_DISK_FAULTS', 1);
  t.diagnostic(`STOA_POWER_SEED=${seed} STOA_DISK_FAULTS=${rounds}`);
  const random = seededRandom(seed);
  let failed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const drawFault = faultKinds[round % faultKinds.length] ?? faultKinds[0];
    let fault = drawFault(random);
    let recording = await record(seed + round, [fault]);
    for (let drawn = 1; !recording.hadFault && drawn < faultDrawsMax; drawn += 1) {
      fault = drawFault(random);
      recording = await record(seed + round, [fault]);
    }
    if (recording.hadFault) failed += 1;
    for (const kept of ['nothing', 'everything'] as const) {
      const problems = await problemsAfter(recording, Date.now(), { kept, random });
      assert.deepEqual(problems, [], `${fault}, kept ${kept}: STOA_POWER_SEED=${seed}`);
    }
  }
  t.diagnostic(`${failed} of ${rounds} faults came while the service was at work`);
  assert.ok(failed > 0, 'no call failed');
});
