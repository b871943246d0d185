import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath, sharesListedMax, sharesPerPathMax } from '@stoa/core';
import { writeFile } from '../../src/service/files/write-file.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';
import { createShare } from '../../src/service/shares/create-share.ts';
import { listAllShares } from '../../src/service/shares/list-shares.ts';
import { createShareKeys } from '../../src/service/shares/share-keys.ts';
import { createViewCounter } from '../../src/service/shares/view-counter.ts';
import { openService, personNamed } from '../support/open-service.ts';

test('of more links than a list holds the newest are listed, and it says that there are more', async () => {
  await using service = await openService();
  const shareKeys = createShareKeys('V1StGXR8_Z5jdHi6B-myTV1StGXR8_Z5jdHi6B-myTQ');
  await using shareViews = createViewCounter(service.deps, assert.fail);
  const deps = { ...service.deps, shareKeys, shareViews };
  const access = await service.openWorkspace(personNamed('ada'));
  const paths = Array.from({ length: sharesListedMax / sharesPerPathMax + 1 }, (_, n) => `${n}.md`);
  for (const name of paths) {
    const path = parseWorkspacePath(name);
    await writeFile(deps, access, {
      path,
      precondition: { kind: 'absent' },
      onConflict: 'keep',
      contentType: null,
      body: new Blob([name]).stream(),
      emptyAllowed: false,
    });
    const options = { path, kind: 'file', access: 'member', password: null, allowScripts: false } as const;
    const pin = { pinnedVersion: null, pinnedContentHash: null };
    service.advance(1000);
    const links = name === '0.md' ? 1 : sharesPerPathMax;
    await Promise.all(
      Array.from({ length: links }, () => createShare(deps, access, { ...options, ...pin }, assert.fail)),
    );
  }
  const { shares, truncated } = await listAllShares(deps, access);
  assert.equal(truncated, true);
  assert.equal(new Set(shares.map(({ id }) => id)).size, sharesListedMax);
  assert.deepEqual([...new Set(shares.map(({ path }) => path))], paths.slice(1).toReversed());
  // Without one of the links, the rest fits.
  await setNodePrivate(deps, access, { path: parseWorkspacePath('1.md'), kind: 'file', private: true });
  const fewer = await listAllShares(deps, access);
  assert.deepEqual([fewer.shares.length, fewer.truncated], [sharesListedMax - sharesPerPathMax + 1, false]);
});
