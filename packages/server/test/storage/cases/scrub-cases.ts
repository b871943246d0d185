import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, hashOf } from '../support/store-driver.ts';

/** Cases for quarantined contents, and for the progress of a scrub. */
export function scrubCases(store: () => MetadataStore): void {
  it('small bytes replace others, and an object keeps its location', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const content = { workspaceId, sizeBytes: 2, createdAt: 1 };
    const inline = (...bytes: number[]) => ({ kind: 'inline', bytes: new Uint8Array(bytes) }) as const;
    const stored = (generation: string) => ({ kind: 'stored', generation }) as const;
    const [small, large] = [hashOf('1'), hashOf('2')];
    const kept = await driver.run(
      ['keepBlob', { ...content, contentHash: small, location: inline(1, 2) }],
      ['keepBlob', { ...content, contentHash: small, location: inline(1, 2) }],
      ['keepBlob', { ...content, contentHash: small, location: inline(1, 3) }],
      ['keepBlob', { ...content, contentHash: large, location: stored('one') }],
      ['keepBlob', { ...content, contentHash: large, location: stored('two') }],
    );
    assert.deepEqual(kept, ['kept', 'already_there', 'kept', 'kept', 'already_there']);
    const found = await store().reader.blobs.locate(workspaceId, small);
    assert.ok(found?.kind === 'inline');
    assert.deepEqual([...found.bytes], [1, 3]);
    assert.deepEqual(await store().reader.blobs.locate(workspaceId, large), stored('one'));
  });

  it('a quarantined content is not found, keeps its object, and comes back as it was', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const contentHash = hashOf('3');
    const location = { kind: 'stored', generation: 'kept aside' } as const;
    const finding = { fault: 'stored_bytes_wrong', foundAt: 9_007_199_254_740_991 } as const;
    const content = { workspaceId, contentHash, generation: location.generation };
    const results = await driver.run(
      ['keepBlob', { workspaceId, contentHash, sizeBytes: 7, location, createdAt: 5 }],
      ['quarantine', { ...content, generation: 'another' }, finding],
      ['quarantine', { ...content, generation: null }, finding],
      ['quarantine', content, finding],
      ['quarantine', content, finding],
    );
    assert.deepEqual(results.slice(1), [false, false, true, false]);
    const { blobs, scrub } = store().reader;
    assert.equal(await blobs.locate(workspaceId, contentHash), null);
    const { generation } = location;
    assert.deepEqual(await blobs.referenced(workspaceId, [generation, 'unknown']), new Set([generation]));
    const after = { workspaceId, contentHash: '' };
    const [quarantined] = await scrub.quarantinedPage({ after, limit: 1 });
    assert.deepEqual(quarantined, { ...content, ...finding, sizeBytes: 7, bytes: null });
    assert.ok((await scrub.figures()).quarantined >= 1);
    await driver.run(['release', { workspaceId, contentHash, foundAt: finding.foundAt }]);
    assert.deepEqual(await blobs.locate(workspaceId, contentHash), location);
    const left = await scrub.quarantinedPage({ after, limit: 1 });
    assert.ok(left.every((each) => each.workspaceId !== workspaceId));
  });

  it('one node at a time scrubs, and records its progress', async () => {
    const driver = await createStoreDriver(store());
    const state = {
      startedAt: 3,
      after: { workspaceId: 'ws', contentHash: hashOf('4') },
      contents: 4,
      bytes: 9_007_199_254_740_991,
      wrong: 1,
      verifiedSince: null,
    };
    const results = await driver.run(
      ['takeScrub', { holder: 'one', now: 10, heldUntil: 20 }],
      ['takeScrub', { holder: 'one', now: 15, heldUntil: 25 }],
      ['takeScrub', { holder: 'two', now: 24, heldUntil: 34 }],
      ['noteScrub', 'one', state],
      ['noteScrub', 'two', { ...state, contents: 5 }],
      ['takeScrub', { holder: 'two', now: 25, heldUntil: 35 }],
      ['noteScrub', 'one', { ...state, contents: 6 }],
    );
    assert.deepEqual(results, [true, true, false, true, false, true, false]);
    assert.deepEqual(await store().reader.scrub.state(), state);
  });

  it('a lease taken by a clock that was ahead does not block others for as long', async () => {
    const driver = await createStoreDriver(store());
    const results = await driver.run(
      ['takeScrub', { holder: 'ahead', now: 1_000_000, heldUntil: 1_000_010 }],
      ['takeScrub', { holder: 'nearly right', now: 999_990, heldUntil: 1_000_000 }],
      ['takeScrub', { holder: 'right', now: 100, heldUntil: 110 }],
      ['takeScrub', { holder: 'another', now: 101, heldUntil: 111 }],
    );
    assert.deepEqual(results, [true, false, true, false]);
  });
}
