import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ExtendedToolId, extendedTools, routes } from '@stoa/contract';
import { startThread } from '../support/comments.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { type HttpResponse, jsonOf, textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { compareInRounds, quantile, type Times } from './compare-times.ts';
import { neverMade } from './hidden-twins.ts';
import { type Names, type Row, timingRows, timingToolRows } from './timing-rows.ts';
import { pathOfTool, toolRequest } from './tool-request.ts';

/**
 * Hidden things cost no time: a request that names what the caller may not see takes as long as one that names nothing,
 * however much is hidden. Both are sent in random order on one connection. Their times are compared by ranks, and three
 * rounds must agree before they count as different. No time is asserted.
 */
const hiddenFiles = 500;
const hiddenOneByOne = 200;
const hiddenThreads = 200;
const hiddenVersions = 60;
const atOnce = 16;
/** Of each kind in each round: a difference of half the spread shows. */
const samples = Math.max(50, sizeFrom('STOA_TIMING_SAMPLES', 50));
const warmUps = 5;
const seed = seedFrom('STOA_TIMING_SEED');
const random = seededRandom(seed);

const { client: server } = await useOwnService();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const adas = await createWorkspace(ada);
const adasKey = await createKey(ada);
const bens = await joinWorkspace(adas, ada, ben);
const pathKey = await createKey(ben, { workspaceId: adas.id, path: 'inside' });

const names = {
  word: 'quagmire',
  text: 'bandersnatch',
  folder: 'vault-quagmire',
  folderOfFiles: 'mixed-quagmire',
  file: 'vault-quagmire/quagmire-many.md',
};
const noNames = {
  word: 'zhovnipx',
  text: 'wocjabberkly',
  folder: 'vault-zhovnipx',
  folderOfFiles: 'mixed-zhovnipx',
  file: 'vault-zhovnipx/zhovnipx-many.md',
};
const ids = await hide();
const hidden: Names = { ...names, ...ids };
const absent: Names = {
  ...noNames,
  threadId: neverMade(ids.threadId),
  shareId: neverMade(ids.shareId),
};

test('every route and every tool has a row in the matrix', (t) => {
  t.diagnostic(`STOA_TIMING_SEED=${seed}`);
  assert.deepEqual(Object.keys(timingRows).sort(), Object.keys(routes).sort());
  assert.deepEqual(Object.keys(timingToolRows).sort(), Object.keys(extendedTools).sort());
});

/** To both, what Ben hid is not there: to Ada it is private to another member, and the key is for another folder. */
const callers = [
  { title: 'another member', client: adasKey.client },
  { title: 'a key for another folder', client: pathKey.client },
] as const;

for (const { title, client } of callers) {
  const as = adas.as(client);
  test(`${title} learns nothing from times of REST`, { timeout: 600_000 }, async (t) => {
    for (const [id, row] of Object.entries(timingRows)) {
      await compareRow(t, id, row, (asked) => as.send(asked.method, asked.target, asked.request));
    }
  });
  test(`${title} learns nothing from times of tools`, { timeout: 600_000 }, async (t) => {
    for (const [id, row] of Object.entries(timingToolRows)) {
      const tool = id as ExtendedToolId;
      const target = pathOfTool(tool);
      await compareRow(t, extendedTools[tool].name, row, (given) =>
        client.send('POST', target, toolRequest(extendedTools[tool].name, { workspaceId: as.id, ...given })),
      );
    }
  });
}

async function compareRow<Question>(
  t: TestContext,
  id: string,
  row: Row<Question>,
  send: (question: Question) => Promise<HttpResponse>,
): Promise<void> {
  if (row.kind !== 'compares') return;
  const others = row.ask(absent);
  for (const [at, question] of row.ask(hidden).entries()) {
    const other = others[at] ?? question;
    assert.notDeepEqual(question, other);
    await t.test(`${id} ${JSON.stringify(question)}`, async (t) => {
      const pair = { hidden: question, absent: other };
      for (let warm = 0; warm < warmUps; warm += 1) await takeTimes(pair, send, 1);
      const medians: string[] = [];
      const { rounds, tellsApart: distinguishes } = await compareInRounds(async () => {
        const times = await takeTimes(pair, send, samples);
        medians.push(
          `${quantile(times.hidden, 0.5).toFixed(2)} against ${quantile(times.absent, 0.5).toFixed(2)} ms`,
        );
        return times;
      });
      const shown = rounds.map(
        ({ z, effect }, at) => `${medians[at]} (z ${z.toFixed(1)}, effect ${effect.toFixed(2)})`,
      );
      t.diagnostic(shown.join('; '));
      assert.equal(distinguishes, false, `hidden against absent: ${shown.join('; ')}`);
    });
  }
}

async function takeTimes<Question>(
  pair: Readonly<Record<keyof Times, Question>>,
  send: (question: Question) => Promise<HttpResponse>,
  count: number,
): Promise<Times> {
  const times: Record<keyof Times, number[]> = { hidden: [], absent: [] };
  const left = { hidden: count, absent: count };
  const statuses = new Set<number>();
  while (left.hidden + left.absent > 0) {
    const kind = random.below(left.hidden + left.absent) < left.hidden ? 'hidden' : 'absent';
    left[kind] -= 1;
    const from = performance.now();
    const { status } = await send(pair[kind]);
    times[kind].push(performance.now() - from);
    statuses.add(status);
  }
  assert.equal(statuses.size, 1, `both have the same status, not ${[...statuses]}`);
  assert.ok(!statuses.has(429) && Math.max(...statuses) < 500, `not ${[...statuses]}: no limit, no failure`);
  return times;
}

/** Ben hides much, and the workspace has a little that all see. */
async function hide() {
  const { file, folder, folderOfFiles, word, text } = names;
  await inParallel(50, (at) => adas.put(`inside/${at}.txt`, `Seen ${at}`));
  await inParallel(50, (at) => adas.put(`other/${at}.txt`, `Seen ${at}`));
  // Private from the start, because catch_up lists what Ada may no longer see.
  await setPrivate(bens, folder, 'folder');
  assertStatus(await bens.put(file, `The first ${text}`), 201);
  assertStatus(await bens.put('once-shared.md', text), 201);
  const { id: shareId } = await share(bens, 'once-shared.md', { access: 'member' });
  await setPrivate(bens, 'once-shared.md', 'file');
  await inParallel(hiddenFiles, (at) => bens.put(`${folder}/${word}-${at}.md`, `${text} ${at}`));
  await inParallel(hiddenOneByOne, (at) =>
    bens.put(`${folderOfFiles}/${word}-${at}.md`, `${text} one ${at}`),
  );
  await inParallel(hiddenOneByOne, (at) => setPrivate(bens, `${folderOfFiles}/${word}-${at}.md`, 'file'));
  for (const [at, count] of [
    [folder, hiddenFiles],
    [folderOfFiles, hiddenOneByOne],
  ] as const) {
    const paths = Array.from({ length: count }, (_, number) => `${at}/${word}-${number}.md`);
    assertStatus(await bens.send('PUT', '/node-order', { json: { paths } }), 200);
  }
  for (let version = 1; version < hiddenVersions; version += 1) {
    const content = `The quote ${text} ${version}\n${'x'.repeat(version === hiddenVersions - 1 ? 60_000 : 0)}`;
    assertStatus(await bens.put(file, content, { ifMatch: version }), 200);
  }
  const threadIds: string[] = [];
  await inParallel(hiddenThreads, async (at) => {
    const thread = await startThread(bens, { path: file, quote: 'The quote', body: `${text} ${at}` });
    threadIds.push(textAt(thread, 'id'));
    return bens.query('changes', { limit: 0 });
  });
  return { threadId: threadIds[0] ?? '', shareId };
}

async function setPrivate(workspace: WorkspaceClient, path: string, kind: 'file' | 'folder') {
  const response = await workspace.send('PUT', '/node-private', { json: { path, kind, private: true } });
  assertStatus(response, 200);
  return response;
}

async function inParallel(count: number, make: (at: number) => Promise<HttpResponse>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const response = await make(next++);
      assert.ok(response.status < 300, `${response.status} ${JSON.stringify(jsonOf(response))}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
