import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { share } from '../support/shares.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const { client: server, service } = await useOwnService();
const ada = await signUp(server, 'Ada');
const home = await createWorkspace(ada);

test(...claims('shares.pinned-gone', 'a pinned link whose bytes are gone says so'), async () => {
  // Large enough to be stored outside the database.
  await home.put('big.txt', 'x'.repeat(100_000));
  const pinned = await share(home, 'big.txt', { pinnedVersion: 1 });
  const locked = await share(home, 'big.txt', { pinnedVersion: 1, password: 'a secret' });
  await home.put('big.txt', 'small', { ifMatch: 1 });
  const asked = [pinned.path, `${pinned.path}/content`];
  for (const path of asked) assertStatus(await server.send('GET', path), 200);
  await service.home.removeStored();
  for (const path of asked) {
    const response = await server.send('GET', path);
    assertStatus(response, 410);
    assert.match(response.bytes.toString('utf8'), /no longer kept/);
  }
  assertStatus(await server.send('HEAD', `${pinned.path}/content`), 410);
  assertStatus(await server.send('GET', locked.path), 401);
});
