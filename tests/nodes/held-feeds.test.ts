import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { assertStatus } from '../support/expect.ts';
import { type ServiceNode, useTwoNodes } from '../support/nodes.ts';
import { createKey, signUp } from '../support/people.ts';
import { sizeFrom } from '../support/random.ts';
import { createWorkspace } from '../support/workspace-client.ts';

const waitSeconds = 25;
const asksMax = 100;
const looksMax = 3000;

const { here, there } = await useTwoNodes();
const nodes = [here, there];
const ada = await signUp(here.client, 'Ada');
const key = await createKey(ada);
/** Half of them at each node. */
const followers = 2 * Math.ceil(sizeFrom('STOA_HELD_FEEDS', 100) / 2);

async function heldAt(node: ServiceNode, atLeast: number, atMost: number): Promise<void> {
  for (let look = 0; look < looksMax; look += 1) {
    const held = await node.feedWaiting();
    if (held >= atLeast && held <= atMost) return;
    await wait(100);
  }
  assert.fail(`never ${atLeast} to ${atMost} feed requests waiting`);
}

test('every waiting feed request at both nodes returns the change, and none stays open', {
  timeout: 3_600_000,
}, async (t) => {
  const workspace = await createWorkspace(ada);
  const atNode = followers / nodes.length;
  const pools = nodes.map(
    ({ client }) => new Pool(client.url, { connections: atNode, pipelining: 1, headersTimeout: 300_000 }),
  );
  let isWritten = false;
  let busy = 0;
  const follow = async (pool: Pool): Promise<readonly unknown[]> => {
    for (let asked = 0; asked < asksMax; asked += 1) {
      const { statusCode, headers, body } = await pool.request({
        method: 'GET',
        path: `${workspace.root}/changes?sinceSeq=${workspace.startSeq}&wait=${waitSeconds}`,
        headers: key.client.credentials,
      });
      if (statusCode === 503) {
        // More requests arrive at once than may wait. The error tells a follower when to try again.
        await body.dump();
        busy += 1;
        await wait(Number(headers['retry-after']) * 1000);
        continue;
      }
      assert.equal(statusCode, 200);
      const { changes } = (await body.json()) as { readonly changes: readonly unknown[] };
      if (changes.length > 0) return changes;
      assert.ok(!isWritten || asked < asksMax - 1, 'a follower never heard of the change');
    }
    return [];
  };
  try {
    const following = pools.flatMap((pool) => Array.from({ length: atNode }, () => follow(pool)));
    for (const node of nodes) await heldAt(node, Math.ceil(atNode * 0.9), atNode);
    assertStatus(await workspace.put('news.md', 'At last.\n'), 201);
    isWritten = true;
    const heard = await Promise.all(following);
    const [change] = await workspace.changes();
    assert.equal(heard.length, followers);
    for (const changes of heard) assert.deepEqual(changes, [change]);
    for (const node of nodes) await heldAt(node, 0, 0);
    t.diagnostic(
      `${followers} feed requests waited at two nodes and returned; ${busy} times one had to try again`,
    );
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
});
