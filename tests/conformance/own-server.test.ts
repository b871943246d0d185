import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, workspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const { service, client: server } = await useOwnService({ STOA_SEED_WORKSPACES: 'true' });
const ada = await signUp(server);
const robot = await createKey(ada);

test(...claims('workspaces.seeded', 'a new workspace says what it is for'), async () => {
  const response = await ada.session.send('POST', '/api/workspaces', { json: { name: 'Seeded' } });
  const workspace = workspaceClient(robot.client, textAt(jsonOf(response), 'id'), 0);
  assert.deepEqual(await listedPaths(workspace), ['AGENTS.md', 'README.md']);
  for (const path of ['AGENTS.md', 'README.md']) {
    const file = await workspace.get(path);
    assertStatus(file, 200);
    assert.ok(file.bytes.length > 100, `${path} says next to nothing`);
  }
  assert.deepEqual((await workspace.changes()).map(({ op, path }) => `${op} ${path}`).sort(), [
    'write AGENTS.md',
    'write README.md',
  ]);
});

test(
  ...claims('files.read.bytes-missing', 'a file whose bytes are lost is an error, not an empty file'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    const body = randomBytes(300_000);
    await workspace.put('lost.bin', body);
    await workspace.put('kept.bin', randomBytes(300_000));
    const removed = await service.home.removeStored(sha256(body));
    assert.equal(removed, 1, 'the stored bytes were not found');
    assertRejection(await workspace.get('lost.bin'), 502);
    assertRejection(await workspace.query('version', { path: 'lost.bin', version: 1 }), 502);
    assertStatus(await workspace.get('kept.bin'), 200);
  },
);
