import { assertStatus } from '../../tests/support/expect.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { joinWorkspace } from '../../tests/support/join-workspace.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import { integerAt, jsonOf, recordsAt } from '../../tests/support/response.ts';
import { createWorkspace, type WorkspaceClient } from '../../tests/support/workspace-client.ts';
import type { Bench } from '../bench-case.ts';
import type { HeaderLines } from '../load/load-job.ts';

const privateFolder = 'mine';
const bodyBytes = 64;
const connections = 64;
const secondsMax = 600;
/** Visible changes are spread evenly over the feed: each run of this many changes has its share of them. */
const stretch = 1000;

/** A workspace where one member sees all changes, and the other one those outside the first one's private folder. */
export interface MostlyHidden {
  readonly port: number;
  readonly owner: HeaderLines;
  readonly member: HeaderLines;
  /** Pages of changes from the time when all members saw the folder. */
  readonly hiddenLater: readonly string[];
  /** Pages of changes since the folder is private, which only its owner may see. */
  readonly hiddenAtOnce: readonly string[];
}

/**
 * Writes this many changes, of which the member may see one in a hundred, and reads the feed once as each of them.
 * @throws when one of them does not see the expected changes, because other pages would not be comparable.
 */
export async function seedMostlyHidden(
  bench: Bench,
  changes: number,
  pageChanges: number,
): Promise<MostlyHidden> {
  const { port } = await bench.seeded.server();
  const client = openHttpClient(`http://127.0.0.1:${port}`);
  try {
    const ada = await signUp(client);
    const grace = await signUp(client, 'Grace Hopper');
    const adaKey = await createKey(ada);
    const owned = await createWorkspace(ada, adaKey.client);
    await joinWorkspace(owned, ada, grace);
    const graceKey = await createKey(grace);
    const owner = [`x-api-key: ${adaKey.secret}`];
    const write = (first: number, count: number) =>
      writeStretch(bench, port, owned.root, owner, first, count);
    const half = changes / 2;
    for (let first = 0; first < half; first += stretch) await write(first, stretch);
    const node = { path: privateFolder, kind: 'folder', private: true };
    assertStatus(await owned.send('PUT', '/node-private', { json: node }), 200);
    for (let first = half; first < changes; first += stretch) await write(first, stretch);
    const hiddenUpTo = owned.startSeq + half;
    const all = await follow(owned, pageChanges);
    const few = await follow(owned.as(graceKey.client), pageChanges);
    // The member also gets one `access_revoked` for the folder, which the owner does not get.
    if (all.seen !== changes || few.seen !== changes / 100 + 1 || all.cursors.join() !== few.cursors.join()) {
      throw new Error(`the owner saw ${all.seen} of ${changes} changes, the member ${few.seen}`);
    }
    const page = (cursor: number) => `${owned.root}/changes?sinceSeq=${cursor}&limit=${pageChanges}`;
    return {
      port,
      owner,
      member: [`x-api-key: ${graceKey.secret}`],
      hiddenLater: all.cursors.filter((cursor) => cursor < hiddenUpTo).map(page),
      hiddenAtOnce: all.cursors.filter((cursor) => cursor >= hiddenUpTo).map(page),
    };
  } finally {
    await client.close();
  }
}

async function writeStretch(
  bench: Bench,
  port: number,
  root: string,
  headers: HeaderLines,
  first: number,
  count: number,
): Promise<void> {
  const shared = count / 100;
  const job = { port, expect: [201], secondsMax, pauseMs: 0 };
  const into = (folder: string) => ({
    kind: 'put-tree' as const,
    root: `${root}/files/${folder}`,
    headers,
    bodyBytes,
    first,
  });
  await Promise.all([
    bench.generator.run({ ...job, connections, requests: into(privateFolder), requestsMax: count - shared }),
    bench.bystander.run({ ...job, connections: 1, requests: into('ours'), requestsMax: shared }),
  ]);
}

/** Reads the feed to its end. @returns the cursor of each page, and the number of changes. */
async function follow(
  workspace: WorkspaceClient,
  limit: number,
): Promise<{ readonly cursors: readonly number[]; readonly seen: number }> {
  const cursors: number[] = [];
  let cursor = workspace.startSeq;
  let seen = 0;
  for (;;) {
    const page = jsonOf(await workspace.query('changes', { sinceSeq: cursor, limit }));
    const next = integerAt(page, 'nextSeq');
    seen += recordsAt(page, 'changes').length;
    cursors.push(cursor);
    if (next === integerAt(page, 'head')) return { cursors, seen };
    if (next <= cursor) throw new Error(`the feed does not advance from ${cursor}`);
    cursor = next;
  }
}
