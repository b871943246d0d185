import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSharedSecret } from '../../src/service/secrets/load-shared-secret.ts';
import { commonNames, forgetCommon, rejectOtherLocation } from '../../src/start/reject-disagreeing-node.ts';
import { openService } from '../support/open-service.ts';

test('a starting node waits seconds for another one, on a slow disk, to store the location id', async () => {
  await using service = await openService();
  const known = await loadSharedSecret(service.deps, commonNames.contents, () => 'place_of_the_other');
  let reads = 0;
  const blobs = {
    async readPlaceId() {
      reads += 1;
      return reads <= 30 ? null : known;
    },
    keepPlaceId: () => assert.fail('it is the location of the other'),
  };
  await rejectOtherLocation(service.deps, blobs, 'here');
  assert.equal(reads, 31);
});

test('a node that is killed while it stores the location id does not keep others from starting', async () => {
  // Before the id is durable, and after it.
  for (const isDurable of [false, true]) {
    await using service = await openService();
    let kept: string | null = null;
    const blobs = (dies: boolean) => ({
      readPlaceId: async () => kept,
      async keepPlaceId(id: string) {
        if (isDurable || !dies) kept = id;
        if (dies) throw new Error('killed');
      },
    });
    await assert.rejects(rejectOtherLocation(service.deps, blobs(true), 'here'), /killed/);
    await rejectOtherLocation(service.deps, blobs(false), 'here');
    assert.ok(kept !== null);
    assert.equal(await service.deps.store.reader.secrets.find(commonNames.contents), kept);
    await forgetCommon(service.deps, 'contents');
    const elsewhere: string[] = [];
    const moved = {
      readPlaceId: async () => elsewhere.at(-1) ?? null,
      async keepPlaceId(id: string) {
        elsewhere.push(id);
      },
    };
    await rejectOtherLocation(service.deps, moved, 'there');
    assert.equal(elsewhere.length, 1);
    assert.notEqual(elsewhere[0], kept, 'another location has another id');
  }
});

test('nodes that start together on an empty location store one id', async () => {
  await using service = await openService();
  const locations: string[] = [];
  const blobs = {
    readPlaceId: async () => locations.at(-1) ?? null,
    async keepPlaceId(id: string) {
      locations.push(id);
    },
  };
  await Promise.all(['one', 'two', 'three'].map(() => rejectOtherLocation(service.deps, blobs, 'here')));
  assert.equal(new Set(locations).size, 1);
});
