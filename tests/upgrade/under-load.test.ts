import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createStoaClient, StoaApiError } from '@stoa/client';
import type { BackEnd } from '../support/back-end.ts';
import { freePort } from '../support/free-port.ts';
import { operatorRun } from '../support/operator.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { type ServiceProcess, spawnService } from '../support/service-process.ts';
import { assertHolds } from './assert-holds.ts';
import { hashOf } from './fill-service.ts';
import { fixtureBackEnds, fixturesFolder, homeOf, observedFile, readRecorded } from './fixtures.ts';
import { observeService } from './observe-service.ts';
import { type Seen, withoutLoad } from './without-load.ts';

const seed = seedFrom('STOA_UPGRADE_SEED');
const rounds = sizeFrom('STOA_UPGRADE_ROUNDS', 1);
const writers = 8;
const writesOfEach = 25;
const triesMax = 20_000;
const retryMs = 25;
/** The duration of a start, until one is measured. Kills in its second half hit each part of an upgrade. */
let startMs = 1_000;

interface Written {
  readonly path: string;
  readonly text: string;
  readonly isAcknowledged: boolean;
}

/** Writes files in sequence, each at its own path, to any node that responds. Begins before the first one does. */
async function writeAlways(
  writer: number,
  nodes: readonly ServiceProcess[],
  { workspaceId, agentKey }: { readonly workspaceId: string; readonly agentKey: string },
  onWritten: () => void,
): Promise<readonly Written[]> {
  const clients = nodes.map(({ url }) => createStoaClient({ baseUrl: url, apiKey: agentKey }));
  const written: Written[] = [];
  let acknowledged = 0;
  for (let tries = 0; acknowledged < writesOfEach; tries += 1) {
    assert.ok(tries < triesMax, `${nodes.map((node) => node.log()).join('\n')}`);
    const client = clients[tries % clients.length];
    const path = `load/${writer}/${tries}.txt`;
    const text = randomBytes(16)
      .toString('hex')
      .repeat(tries % 7 === 0 ? 3_000 : 3);
    try {
      const outcome = await client?.writeFile(workspaceId, path, text, { kind: 'absent' });
      assert.equal(outcome?.kind, 'created');
      written.push({ path, text, isAcknowledged: true });
      acknowledged += 1;
      onWritten();
    } catch (error) {
      if (error instanceof StoaApiError && error.status < 500) throw error;
      if (error instanceof assert.AssertionError) throw error;
      // The node does not run yet, or no longer. It may have written the file all the same.
      written.push({ path, text, isAcknowledged: false });
      await wait(retryMs);
    }
  }
  return written;
}

async function upgradeUnderLoad(folder: string, backEnd: BackEnd, round: number): Promise<void> {
  const random = seededRandom(seed + round);
  const { filled, observed: recorded } = await readRecorded(folder);
  await using home = await homeOf(folder, backEnd);
  const ports = [await freePort(), await freePort()];
  for (let kill = 0; kill < 2; kill += 1) {
    const cutOff = await spawnService({}, { home, port: ports[kill] ?? 0 });
    await wait(startMs / 2 + random.below(startMs / 2));
    await cutOff.end('SIGKILL');
  }
  const public_ = `http://127.0.0.1:${ports[0]}`;
  const start = (port: number) => spawnService({ STOA_BASE_URL: public_ }, { home, port });
  const startedAt = performance.now();
  const nodes = await Promise.all(ports.map(start));
  await using cleanup = new AsyncDisposableStack();
  for (const node of nodes) cleanup.use(node);

  let count = 0;
  let restarted: Promise<void> | null = null;
  const assertRunning = () => {
    for (const node of nodes) assert.ok(node.isRunning(), node.log());
  };
  const restart = async () => {
    assertRunning();
    await nodes[1]?.end('SIGKILL');
    nodes[1] = cleanup.use(await start(ports[1] ?? 0));
  };
  const ledgers = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      writeAlways(writer, nodes, filled, () => {
        if (count === 0) startMs = performance.now() - startedAt;
        count += 1;
        if (count > (writers * writesOfEach) / 3) restarted ??= restart();
      }),
    ),
  );
  await restarted;
  assertRunning();
  const written = ledgers.flat();

  const observed = (await observeService(public_, filled)) as Readonly<Record<string, Seen>>;
  const load = new Map(written.map((each) => [each.path, each]));
  assert.equal(Object.keys(observed).length, filled.people.length);
  for (const { changes, versions } of Object.values(observed)) {
    const times = Map.groupBy(changes, ({ path }) => path);
    for (const { path, text, isAcknowledged } of load.values()) {
      const records = times.get(path)?.length ?? 0;
      assert.ok(records === 1 || (records === 0 && !isAcknowledged), `${path}: ${records} records`);
      if (records === 0) continue;
      const hashes = versions[path]?.map(({ contentHash }) => contentHash);
      assert.deepEqual(hashes, [hashOf(Buffer.from(text))], path);
    }
  }
  assertHolds(withoutLoad(observed, load), recorded, observedFile);
  const checked = await operatorRun({ env: nodes[0]?.env ?? {} }, 'check', '--contents');
  assert.equal(checked.code, 0, checked.stdout + checked.stderr);
}

for (const version of (await readdir(fixturesFolder)).toSorted()) {
  for (const backEnd of fixtureBackEnds) {
    test(`two nodes upgrade the data of version ${version} on ${backEnd} under load while they are killed`, {
      timeout: 3_600_000,
    }, async (t) => {
      t.diagnostic(`STOA_UPGRADE_SEED=${seed} STOA_UPGRADE_ROUNDS=${rounds}`);
      const folder = join(fixturesFolder, version, backEnd);
      for (let round = 0; round < rounds; round += 1) await upgradeUnderLoad(folder, backEnd, round);
    });
  }
}
