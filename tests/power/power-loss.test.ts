import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Attempt, countAcknowledged, knownAt } from '../crash/attempt.ts';
import { findLosses } from '../crash/find-losses.ts';
import { type Observed, observeWorkspace } from '../crash/observe-workspace.ts';
import { startLoad } from '../crash/start-load.ts';
import { textMaxBytes } from '../crash/write-until-death.ts';
import { openHttpClient } from '../support/http-client.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { filesWithPhrase, filesWithWords } from '../support/searches.ts';
import { serveFolder } from '../support/served-folder.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { type WorkspaceClient, workspaceClient } from '../support/workspace-client.ts';
import { assertUnderstood, type Drawing, layOut, type RecordedDisk, recordDisk } from './disk-states.ts';
import { drawCuts, lookAtEach, noTracer } from './look-at-states.ts';
import { readTrace, traceEnded, tracingTo } from './read-trace.ts';

const responsesPerRecording = 80;
/** The limit for a recording whose fault does not occur: the number of calls depends on how commits are batched. */
const responsesWithoutFaultMax = 480;
const statesPerRecording = 40;
const searchesMax = 10;

interface Recording {
  readonly disk: RecordedDisk;
  /** By workspace. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  readonly credentials: Readonly<Record<string, string>>;
  /** When everything that `attempts` needs was acknowledged, in milliseconds since the epoch. */
  readonly loadBegan: number;
  /** Whether an injected fault occurred. */
  readonly hadFault: boolean;
}

/** Writes for a while. A fault may end the service and its clients. */
async function writeSome(url: string, random: Random, hasFaults: boolean) {
  let hasFailed = false;
  await using load = await startLoad(url, random, {
    hasFaults,
    // No error counts as a rejection. The callback only records that a fault has occurred.
    isRejection() {
      hasFailed = true;
      return false;
    },
  });
  const loadBegan = Date.now() + 1;
  const responsesMax = hasFaults ? responsesWithoutFaultMax : responsesPerRecording;
  await load.until(
    () => load.acknowledged() >= responsesMax || (hasFailed && load.acknowledged() >= responsesPerRecording),
  );
  return { attempts: await load.end(), credentials: load.credentials, loadBegan };
}

/** Records a service from its first start to its orderly end, which moves everything out of the log. */
async function record(seed: number, faults: readonly string[] = []): Promise<Recording> {
  const traces = await mkdtemp(join(tmpdir(), 'stoa-trace-'));
  try {
    await using home = await makeServiceHome('sqlite-disk');
    const folder = home.variables.STOA_DATA_DIR ?? assert.fail('a home without a folder');
    const trace = join(traces, 'calls');
    await using service = await startService({}, { home, under: tracingTo(trace, faults) });
    const written = await writeSome(service.url, seededRandom(seed), faults.length > 0);
    await service.end('SIGTERM');
    await traceEnded(trace);
    const hadFault = (await readFile(trace, 'latin1')).includes('(INJECTED)');
    const disk = recordDisk(await readTrace(trace), folder);
    await assertUnderstood(disk);
    return { ...written, disk, hadFault };
  } finally {
    await rm(traces, { recursive: true, force: true });
  }
}

let searches = 0;

/** Searches for some texts by their first line, with whatever the disk kept of the index. */
async function notFound(workspace: WorkspaceClient, { entries }: Observed): Promise<readonly string[]> {
  const pathsByLine = new Map<string, string[]>();
  for (const { path, size } of entries) {
    if (size > textMaxBytes) continue;
    const [line = ''] = (await workspace.get(path)).bytes.toString().split('\n');
    pathsByLine.set(line, [...(pathsByLine.get(line) ?? []), path]);
  }
  const problems: string[] = [];
  for (const [line, paths] of [...pathsByLine].slice(0, searchesMax)) {
    searches += 1;
    for (const found of [await filesWithPhrase(workspace, line), await filesWithWords(workspace, line)]) {
      if ([...found].sort().join() !== paths.sort().join()) problems.push(`${line}: ${found} of ${paths}`);
    }
  }
  return problems;
}

/** Starts a service on a disk in this state, and checks everything that was acknowledged before the cut. */
async function problemsAfter(
  recording: Recording,
  cut: number,
  options: Drawing,
): Promise<readonly string[]> {
  await using home = await makeServiceHome('sqlite-disk');
  const folder = home.variables.STOA_DATA_DIR ?? assert.fail('a home without a folder');
  await layOut(recording.disk, cut, options, folder);
  await using served = await serveFolder(folder);
  const problems: string[] = [];
  if (cut >= recording.loadBegan) {
    const client = openHttpClient(served.url).as(recording.credentials);
    for (const [id, attempts] of recording.attempts) {
      const known = knownAt(attempts, cut);
      const workspace = workspaceClient(client, id, 0);
      const observed = await observeWorkspace(workspace, known, 3);
      problems.push(...findLosses(known, observed), ...(await notFound(workspace, observed)));
    }
    await client.close();
  }
  return [...problems, ...(await served.problems())];
}

const seed = seedFrom('STOA_POWER_SEED');
let firstRecording: Promise<Recording> | null = null;
const recordingFor = (state: number) => {
  if (state >= statesPerRecording) return record(seed + state);
  firstRecording ??= record(seed);
  return firstRecording;
};

test('the service starts with all acknowledged changes after a power loss, whatever the disk keeps', {
  timeout: 14_400_000,
  skip: noTracer,
}, async (t) => {
  const states = sizeFrom('STOA_POWER_STATES', 2);
  t.diagnostic(`STOA_POWER_SEED=${seed} STOA_POWER_STATES=${states}`);
  const random = seededRandom(seed);
  let acknowledged = 0;
  for (let first = 0; first < states; first += statesPerRecording) {
    const recording = await recordingFor(first);
    const count = Math.min(statesPerRecording, states - first);
    // Most cuts are during writes, some during the first start or while the log moves into the database.
    await lookAtEach(drawCuts(recording.disk, { first, count }, random), async ({ cut, drawing, says }) => {
      assert.deepEqual(await problemsAfter(recording, cut, drawing), [], `${says} of seed ${seed}`);
      acknowledged += countAcknowledged(knownAt([...recording.attempts.values()].flat(), cut));
    });
  }
  t.diagnostic(`${acknowledged} acknowledged changes were there, ${searches} texts were found`);
});

test('detects a disk that lies about durable data', { skip: noTracer }, async () => {
  const recording = await recordingFor(0);
  const ended = Math.max(...[...recording.attempts.values()].flat().map(({ reportedAt = 0 }) => reportedAt));
  const lying = problemsAfter(recording, ended, {
    kept: 'nothing',
    random: seededRandom(1),
    areSyncsKept: false,
  });
  // A service that lost everything knows no user.
  assert.notDeepEqual(await lying.catch((error) => [String(error)]), []);
});

/** A service that batches its commits well may never reach the call that should fail. */
const faultDrawsMax = 4;
/** A full disk stays full for a while. */
const callsWithoutRoom = 40;
const noRoomFrom = (call: number) => `pwrite64:error=ENOSPC:when=${call}..${call + callsWithoutRoom}`;
const faultsAtOnce = 2;
/** Each thread counts its own calls. Only the writer reaches these numbers, not the thread that starts the service. */
const faultKinds = [
  (random: Random) => `fsync,fdatasync:error=EIO:when=${20 + random.below(15)}`,
  (random: Random) => noRoomFrom(350 + random.below(400)),
  (random: Random) => `pwrite64:error=EIO:when=${350 + random.below(400)}`,
] as const;

/** If the first thread reached the call, the service has not sent any response yet. */
function unlessNotStarted(error: unknown): null {
  if (error instanceof Error && error.message.startsWith('the service did not start')) return null;
  throw error;
}

test('the service never treats a failed disk call as done', {
  timeout: 14_400_000,
  skip: noTracer,
}, async (t) => {
  const rounds = sizeFrom('STOA_DISK_FAULTS', 1);
  t.diagnostic(`STOA_POWER_SEED=${seed} STOA_DISK_FAULTS=${rounds}`);
  const random = seededRandom(seed);
  const drawn = Array.from({ length: rounds }, (_, round) => ({
    round,
    drawFault: faultKinds[round % faultKinds.length] ?? faultKinds[0],
    random: seededRandom(random.below(2 ** 31)),
  })).values();
  let failed = 0;
  const play = async () => {
    for (const { round, drawFault, random: ofRound } of drawn) {
      let fault = '';
      let recording: Recording | null = null;
      for (let draws = 0; recording?.hadFault !== true && draws < faultDrawsMax; draws += 1) {
        fault = drawFault(ofRound);
        recording = await record(seed + round, [fault]).catch(unlessNotStarted);
      }
      if (recording === null) continue;
      if (recording.hadFault) failed += 1;
      for (const kept of ['nothing', 'everything'] as const) {
        const problems = await problemsAfter(recording, Date.now(), { kept, random: ofRound });
        assert.deepEqual(problems, [], `${fault}, kept ${kept}: STOA_POWER_SEED=${seed}`);
      }
    }
  };
  await Promise.all(Array.from({ length: faultsAtOnce }, play));
  t.diagnostic(`${failed} of ${rounds} faults came while the service was at work`);
  assert.ok(failed > 0, 'no call failed');
});
