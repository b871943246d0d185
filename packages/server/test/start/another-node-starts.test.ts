import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSharedSecret } from '../../src/service/secrets/load-shared-secret.ts';
import { commonNames, refuseOtherPlace } from '../../src/start/refuse-disagreeing-node.ts';
import { openService } from '../support/open-service.ts';

test('a node that starts waits seconds for another one, on a slow disk, to keep the id of the place', async () => {
  await using service = await openService();
  const known = await loadSharedSecret(service.deps, commonNames.contents, () => 'place_of_the_other');
  let reads = 0;
  const blobs = {
    async readPlaceId() {
      reads += 1;
      return reads <= 30 ? null : known;
    },
    keepPlaceId: () => assert.fail('it is the place of the other'),
  };
  await refuseOtherPlace(service.deps, blobs, 'here');
  assert.equal(reads, 31);
});
