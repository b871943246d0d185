import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { assertStatus } from '../support/expect.ts';
import { openHttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { operatorRun } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { integerAt, recordOf, recordsAt } from '../support/response.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { hashOf, operations, type Worker } from './operations.ts';

const seed = seedFrom('STOA_DAY_SEED');
/** The number of quarters of an hour. */
const quarters = sizeFrom('STOA_DAY_QUARTERS', 12);
/** The number of operations of each worker in each quarter. */
const operationsOfEach = sizeFrom('STOA_DAY_DOINGS', 20);
const quarterMs = 15 * 60_000;
const names = ['Ada', 'Ben', 'Claude', 'Dora', 'Scribe', 'Emil'];
/** The growth of caches and compiled code after a quarter of the day, independent of the length of the rest. */
const growthMaxBytes = 12 << 20;
const probeDeadlineMs = 60_000;

/** The memory in use after garbage collection, by thread, and the total that the system counts. */
interface Memory {
  readonly used: ReadonlyMap<number, number>;
  readonly resident: number;
}

async function measure(service: ServiceProcess, file: string): Promise<Memory> {
  await rm(file, { force: true });
  service.signal('SIGUSR2');
  const deadline = performance.now() + probeDeadlineMs;
  while (!existsSync(file)) {
    assert.ok(service.isRunning() && performance.now() < deadline, service.log());
    await wait(50);
  }
  const reported = recordOf(JSON.parse(await readFile(file, 'utf8')));
  const used = recordsAt(reported, 'threads').map(
    (thread) =>
      [integerAt(thread, 'threadId'), integerAt(thread, 'heap') + integerAt(thread, 'external')] as const,
  );
  return { used: new Map(used), resident: integerAt(reported, 'rss') };
}

/** Sums the memory of these threads. Pools may have started others since. */
function usedBy(threads: Iterable<number>, { used }: Memory): number {
  return [...threads].reduce((sum, thread) => sum + (used.get(thread) ?? 0), 0);
}

async function workADay(worker: Worker): Promise<void> {
  for (let done = 0; done < operationsOfEach; done += 1) await worker.random.pick(operations)(worker);
}

async function assertAllIsThere(workers: readonly Worker[]): Promise<void> {
  for (const { own, workspace } of workers) {
    for (const [path, { version, hash }] of own) {
      const response = await workspace.get(path);
      assertStatus(response, 200);
      assert.equal(response.headers.get('x-service-version')?.[0], String(version), path);
      assert.equal(hashOf(response.bytes), hash, path);
    }
  }
  const [first] = workers;
  const seqs = ((await first?.workspace.changes()) ?? []).map((change) => integerAt(change, 'seq'));
  assert.ok(seqs.length > 0);
  assert.deepEqual(
    seqs,
    seqs.toSorted((one, other) => one - other),
  );
}

test('a simulated day of people and agents loses nothing, fails nothing and keeps memory flat', {
  timeout: 7_200_000,
}, async (t) => {
  t.diagnostic(`STOA_DAY_SEED=${seed} STOA_DAY_QUARTERS=${quarters} STOA_DAY_DOINGS=${operationsOfEach}`);
  await using cleanup = new AsyncDisposableStack();
  const clock = cleanup.use(await adjustableClock());
  const folder = await mkdtemp(join(tmpdir(), 'stoa-day-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const probeFile = join(folder, 'memory.json');
  const probe = new URL('memory-probe.ts', import.meta.url);
  const service = cleanup.use(
    await startService({
      NODE_OPTIONS: `${clock.variables.NODE_OPTIONS} --import=${probe.href}`,
      MEMORY_PROBE_FILE: probeFile,
    }),
  );
  let ahead = 0;
  const server = openHttpClient(service.url);
  cleanup.defer(server.close);
  const owner = await signUp(server, 'Ada');
  const workspace = await createWorkspace(owner);
  const workers = await Promise.all(
    names.map(async (name, index): Promise<Worker> => {
      const person = index === 0 ? owner : await signUp(server, name);
      if (index > 0) await joinWorkspace(workspace, owner, person);
      const key = await createKey(person, { workspaceId: workspace.id });
      return {
        name,
        person,
        server,
        key,
        workspace: workspace.as(key.client),
        mcp: openMcp(server, key, { toolSet: 'extended' }),
        random: seededRandom(seed + index),
        own: new Map(),
        named: 0,
        cursor: workspace.startSeq,
        now: () => Date.now() + ahead,
      };
    }),
  );
  const measured: Memory[] = [];
  for (let quarter = 0; quarter < quarters; quarter += 1) {
    const nightly =
      quarter === Math.floor(quarters / 2) ? operatorRun(service, 'backup', join(folder, 'backup')) : null;
    await Promise.all(workers.map(workADay));
    const backup = await nightly;
    if (backup !== null) assert.equal(backup.code, 0, backup.stderr);
    ahead += quarterMs;
    await clock.advance(quarterMs);
    measured.push(await measure(service, probeFile));
  }
  await assertAllIsThere(workers);
  const checked = await operatorRun(service, 'check', '--contents');
  assert.equal(checked.code, 0, checked.stdout + checked.stderr);
  assert.doesNotMatch(service.log(), /"level":(50|60)/);

  const shown = measured.map(
    (memory) => `${[...memory.used.values()].map(mebibytes).join('+')}/${mebibytes(memory.resident)}`,
  );
  t.diagnostic(`in use by each thread/resident after each quarter of an hour, MiB: ${shown.join(' ')}`);
  const warm = measured[Math.floor(quarters / 4)];
  assert.ok(warm !== undefined);
  const threads = [...warm.used.keys()];
  // Memory of the last requests may not be released yet.
  const last = Math.min(...measured.slice(-2).map((memory) => usedBy(threads, memory)));
  assert.ok(last <= usedBy(threads, warm) + growthMaxBytes, shown.join(' '));
});

function mebibytes(bytes: number): number {
  return Math.round(bytes / (1 << 20));
}
