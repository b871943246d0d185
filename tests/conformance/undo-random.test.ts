import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertStatus, feedLines } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { type HttpResponse, headerOf, integerAt, jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

/**
 * Two keys write one text. Each writes lines that the other never writes.
 * An undo of one key either changes nothing, or removes all its lines and none of the other's.
 */
const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const [undone, staying] = [
  await createKey(ada, { name: 'Undone' }),
  await createKey(ada, { name: 'Staying' }),
];
const path = 'a.md';
const since = '2000-01-01T00:00:00Z';

interface Operation {
  readonly by: 'undone' | 'staying';
  readonly kind: 'replace' | 'insert' | 'remove' | 'restore' | 'delete';
  /** A line, or a version. */
  readonly at: number;
}

const operation: fc.Arbitrary<Operation> = fc.record({
  by: fc.constantFrom('undone', 'staying'),
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('replace', 'insert', 'remove') },
    { weight: 1, arbitrary: fc.constantFrom('restore', 'delete') },
  ),
  at: fc.nat(11),
});

interface Scene {
  readonly owner: WorkspaceClient;
  readonly undone: WorkspaceClient;
  readonly staying: WorkspaceClient;
  /** Lines that the undone key restored from an earlier version, although the other key once wrote them. */
  readonly broughtBack: Set<string>;
}

async function openScene(): Promise<Scene> {
  const owner = await createWorkspace(ada);
  const scene = {
    owner,
    undone: owner.as(undone.client),
    staying: owner.as(staying.client),
    broughtBack: new Set<string>(),
  };
  const start = Array.from({ length: 12 }, (_, line) => `start ${line}`);
  assertStatus(await owner.put(path, textOf(start)), 201);
  return scene;
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

async function linesNow({ owner }: Pick<Scene, 'owner'>): Promise<readonly string[] | null> {
  const response = await owner.get(path);
  return response.status === 404 ? null : response.bytes.toString().split('\n').slice(0, -1);
}

async function act(scene: Scene, { by, kind, at }: Operation, number: number): Promise<void> {
  const workspace = scene[by];
  const response = await workspace.get(path);
  const written = `${by} ${number}`;
  if (response.status === 404) {
    await workspace.put(path, textOf([written]));
    return;
  }
  const version = Number(headerOf(response, 'x-service-version'));
  if (kind === 'delete') {
    await workspace.remove(path, version);
    return;
  }
  // Lines that the other key restores belong to it, even if the undone key wrote them first.
  if (kind === 'restore' && by === 'undone') {
    const before = await linesNow(scene);
    await workspace.post('restore', { path, targetVersion: 1 + (at % version) });
    for (const line of (await linesNow(scene)) ?? [])
      if (!before?.includes(line)) scene.broughtBack.add(line);
    return;
  }
  const lines = response.bytes.toString().split('\n').slice(0, -1);
  const line = lines.length === 0 ? 0 : at % lines.length;
  if (kind === 'insert') lines.splice(line, 0, written);
  else if (kind === 'remove') lines.splice(line, 1);
  else lines.splice(line, 1, written);
  if (lines.length === 0) lines.push(written);
  await workspace.put(path, textOf(lines), { ifMatch: version });
}

const undo = (workspace: WorkspaceClient, dryRun = false) =>
  workspace.post('undo', { actorKeyId: undone.id, since, dryRun });

function outcomeOf(response: HttpResponse): unknown {
  assertStatus(response, 200);
  const files = recordsAt(jsonOf(response), 'files');
  assert.ok(files.length <= 1);
  return files[0] === undefined ? 'none' : files[0].outcome;
}

const runs = sizeFrom('STOA_UNDO_SEQUENCES', 24);
const [title, { timeout }] = claims(
  'history.undo.merge',
  'an undo takes the lines of one key and none of the other',
);

test(title, { timeout: Math.max(timeout, runs * 1000) }, async (t) => {
  const seed = seedFrom('STOA_UNDO_SEED');
  t.diagnostic(`STOA_UNDO_SEED=${seed} STOA_UNDO_SEQUENCES=${runs}`);
  const reported = new Map<unknown, number>();
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 2, maxLength: 9 }),
    async (operations) => {
      const scene = await openScene();
      for (const [number, action] of operations.entries()) await act(scene, action, number);
      const before = await linesNow(scene);
      const records = (await feedLines(scene.owner)).length;
      const planned = outcomeOf(await undo(scene.owner, true));
      assert.equal((await feedLines(scene.owner)).length, records, 'a dry run changed something');
      const outcome = outcomeOf(await undo(scene.owner));
      assert.equal(outcome, planned);
      reported.set(outcome, (reported.get(outcome) ?? 0) + 1);
      const after = await linesNow(scene);
      if (outcome === 'left' || outcome === 'none') assert.deepEqual(after, before);
      else {
        assert.deepEqual(
          (after ?? []).filter((line) => line.startsWith('undone')),
          [],
        );
        const others = (before ?? []).filter(
          (line) => line.startsWith('staying') && !scene.broughtBack.has(line),
        );
        assert.deepEqual(
          others.filter((line) => !(after ?? []).includes(line)),
          [],
        );
      }
      const ended = await feedLines(scene.owner);
      const changes = ['restored', 'merged', 'deleted', 'recreated'].includes(String(outcome)) ? 1 : 0;
      assert.equal(ended.length, records + changes);
      const again = outcomeOf(await undo(scene.owner));
      assert.equal(again, changes === 1 ? 'unchanged' : outcome);
      assert.deepEqual(await feedLines(scene.owner), ended);
    },
  );
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: false });
  t.diagnostic(JSON.stringify(Object.fromEntries(reported)));
});

test(...claims('history.undo.merge', 'a write during an undo is not lost'), async () => {
  const scene = await openScene();
  for (let line = 0; line < 4; line += 1) {
    await act(scene, { by: 'undone', kind: 'replace', at: line }, line);
  }
  const writes = Array.from({ length: 8 }, async (_, number) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const read = await scene.staying.get(path);
      const text = `${read.bytes.toString()}staying ${number}\n`;
      const put = { ifMatch: Number(headerOf(read, 'x-service-version')), conflict: 'refuse' };
      if ((await scene.staying.put(path, text, put)).status === 200) return;
    }
    assert.fail('never written');
  });
  await Promise.all([...writes, undo(scene.owner).then(outcomeOf)]);
  assert.notEqual(outcomeOf(await undo(scene.owner)), 'left');
  const lines = (await linesNow(scene)) ?? [];
  assert.deepEqual(
    lines.slice(0, 12),
    Array.from({ length: 12 }, (_, line) => `start ${line}`),
  );
  assert.deepEqual(
    lines.slice(12).sort(),
    Array.from({ length: 8 }, (_, number) => `staying ${number}`),
  );
  const [last] = (await scene.owner.changes()).slice(-1);
  assert.ok(integerAt(last ?? {}, 'version') >= 13);
});
