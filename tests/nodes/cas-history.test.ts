import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile } from '../support/expect.ts';
import { useTwoNodes } from '../support/nodes.ts';
import { createKey, signUp } from '../support/people.ts';
import { type Random, seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { headerOf, integerAt, jsonOf, textAt } from '../support/response.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { findViolations, type Observation } from './find-violations.ts';

const clients = 16;
const pathsAtOnce = 5;
/** Requests to the same paths, so that many collide. Then come other paths. */
const operationsPerWave = 800;

const { here, there } = await useTwoNodes();
const ada = await signUp(here.client, 'Ada');
const key = await createKey(ada);
const seed = seedFrom('STOA_CAS_SEED');
const operations = sizeFrom('STOA_CAS_OPERATIONS', 1600);

interface Copy {
  readonly path: string;
  readonly body: string;
}

/** One client at its node: reads, and writes over the version that it read last, however old that is. */
async function playClient(
  workspace: WorkspaceClient,
  random: Random,
  { paths, requests, name }: { paths: readonly string[]; requests: number; name: string },
): Promise<{ readonly observations: readonly Observation[]; readonly copies: readonly Copy[] }> {
  const observations: Observation[] = [];
  const copies: Copy[] = [];
  const known = new Map<string, number>();
  for (let round = 0; round < requests; round += 1) {
    const path = random.pick(paths);
    const over = known.get(path) ?? 0;
    const startedAt = performance.now();
    const observed = (seen: Observation['seen']) => {
      known.set(path, seen.kind === 'stale' ? seen.current : seen.version);
      observations.push({ path, startedAt, endedAt: performance.now(), seen });
    };
    if (random.below(4) === 0) {
      const response = await workspace.get(path);
      if (response.status === 404) {
        assert.equal(over, 0, `${path} was there and is not`);
        continue;
      }
      assert.equal(response.status, 200);
      const version = Number(headerOf(response, 'x-service-version'));
      observed({ kind: 'read', version, body: response.bytes.toString() });
      continue;
    }
    const body = `${name}, request ${round}`;
    const rejects = random.below(8) > 0;
    const result = await workspace.put(path, body, {
      ...(over === 0 ? { ifNoneMatch: '*' } : { ifMatch: over }),
      ...(rejects ? { conflict: 'refuse' } : {}),
    });
    const reported = jsonOf(result);
    if (result.status === 412) {
      observed({ kind: 'stale', over, current: integerAt(reported, 'current_version') });
      if (!rejects) copies.push({ path: textAt(reported, 'conflict_copy_path'), body });
    } else {
      assert.equal(result.status, over === 0 ? 201 : 200, result.bytes.toString());
      observed({ kind: 'written', over, version: integerAt(reported, 'version'), body });
    }
  }
  return { observations, copies };
}

test('sixteen clients at two nodes see one history of each file, by compare-and-swap and in order of time', {
  timeout: 7_200_000,
}, async (t) => {
  let [written, stale, read, kept] = [0, 0, 0, 0];
  for (let played = 0; played < operations; played += operationsPerWave) {
    const workspace = await createWorkspace(ada);
    const paths = Array.from({ length: pathsAtOnce }, (_, n) => `file-${n}.md`);
    const locations = [here, there].map((node) => workspace.as(node.client.as(key.client.credentials)));
    const results = await Promise.all(
      Array.from({ length: clients }, (_, n) =>
        playClient(locations[n % 2] ?? workspace, seededRandom(seed + played + n), {
          paths,
          requests: operationsPerWave / clients,
          name: `client ${n}`,
        }),
      ),
    );
    const observations = results.flatMap((result) => result.observations);
    assert.deepEqual(findViolations(observations), [], `STOA_CAS_SEED=${seed}`);
    for (const { path, body } of results.flatMap(({ copies }) => copies)) {
      await assertFile(workspace, path, body, 1);
      kept += 1;
    }
    const count = (kind: Observation['seen']['kind']) =>
      observations.filter(({ seen }) => seen.kind === kind).length;
    written += count('written');
    stale += count('stale');
    read += count('read');
    assert.equal(
      (await workspace.changes()).length,
      count('written') + results.flatMap(({ copies }) => copies).length,
    );
    await ada.session.send('DELETE', workspace.root);
  }
  t.diagnostic(`STOA_CAS_SEED=${seed} STOA_CAS_OPERATIONS=${operations}`);
  t.diagnostic(`${written} written, ${stale} stale (${kept} kept as copies), ${read} read`);
  assert.ok(written > 0 && stale > 0 && kept > 0 && read > 0, 'the clients never met');
});

test('the check notices each violation of compare-and-swap', () => {
  const write = (version: number, startedAt: number, endedAt: number): Observation => ({
    path: 'a.md',
    startedAt,
    endedAt,
    seen: { kind: 'written', over: version - 1, version, body: `text ${version}` },
  });
  const see = (seen: Observation['seen'], startedAt: number, endedAt: number): Observation => ({
    path: 'a.md',
    startedAt,
    endedAt,
    seen,
  });
  const good = [
    write(1, 0, 10),
    write(2, 11, 20),
    see({ kind: 'stale', over: 1, current: 2 }, 12, 22),
    see({ kind: 'read', version: 2, body: 'text 2' }, 15, 25),
    see({ kind: 'read', version: 2, body: 'text 2' }, 26, 40),
    write(3, 30, 50),
  ];
  assert.deepEqual(findViolations(good), []);
  const bad: Record<string, readonly Observation[]> = {
    'a version given twice': [...good, write(3, 60, 70)],
    'a write that was lost': good.toSpliced(1, 1),
    'a missing version': [
      ...good,
      { ...write(5, 60, 70), seen: { kind: 'written', over: 3, version: 5, body: '' } },
    ],
    'other bytes': [...good, see({ kind: 'read', version: 3, body: 'text 2' }, 60, 70)],
    'an old version after a newer one': [...good, see({ kind: 'read', version: 2, body: 'text 2' }, 60, 70)],
    'a version whose write had not begun': [see({ kind: 'read', version: 2, body: 'text 2' }, 1, 9), ...good],
    'a rejection without a cause': [...good, see({ kind: 'stale', over: 3, current: 3 }, 60, 70)],
    'a rejection that names an old version': [...good, see({ kind: 'stale', over: 1, current: 2 }, 60, 70)],
    'two versions in the wrong order': [write(2, 0, 10), write(1, 11, 20)],
  };
  for (const [fault, observations] of Object.entries(bad))
    assert.notDeepEqual(findViolations(observations), [], fault);
});
