import assert from 'node:assert/strict';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { type ScrubFinding, type ScrubRound, scrubRound } from '../../src/service/checking/scrub-round.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { contentHashOf, flipByte, patterned } from '../storage/support/blob-contents.ts';
import { type OpenedService, openService, personNamed } from '../support/open-service.ts';

const dayMs = 24 * 60 * 60 * 1000;
const withinMs = 30 * dayMs;

describe('a scrub', () => {
  let service: OpenedService;
  let access: WorkspaceAccess;
  const bodies = [10, 20, 100_000, 200_000, 300_000].map((sizeBytes) => patterned(sizeBytes));
  const storedBytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
  let found: ScrubFinding[] = [];
  let rested = 0;

  before(async () => {
    service = await openService();
    access = await service.openWorkspace(personNamed('ada'));
    for (const [index, bytes] of bodies.entries()) {
      await writeFile(service.deps, access, {
        path: parseWorkspacePath(`${index}.bin`),
        precondition: { kind: 'absent' },
        onConflict: 'keep',
        contentType: null,
        body: Readable.from([bytes.slice()]),
        emptyAllowed: false,
      });
    }
  });
  after(async () => await service[Symbol.asyncDispose]());

  const state = () => service.deps.store.reader.scrub.state();
  const round = async (changed: Partial<ScrubRound> = {}) => {
    found = [];
    rested = 0;
    await scrubRound(service.deps, {
      holder: 'one',
      withinMs,
      bringBack: null,
      found: (finding) => found.push(finding),
      reportProblem: assert.fail,
      isLocationThere: async () => true,
      rest: async (milliseconds) => {
        rested += milliseconds;
      },
      signal: new AbortController().signal,
      ...changed,
    });
  };
  const fileOf = async (bytes: Uint8Array | undefined) => {
    const hash = contentHashOf(bytes ?? assert.fail());
    const folder = join(service.dataDir, 'blobs', access.workspace.id, hash.slice(0, 2));
    const name = (await readdir(folder)).find((each) => each.startsWith(hash));
    return join(folder, name ?? assert.fail());
  };

  test('continues where it stopped, one node at a time', async () => {
    const stopping = new AbortController();
    await round({ signal: stopping.signal, rest: async () => stopping.abort() });
    const { contents, startedAt, verifiedSince } = await state();
    assert.deepEqual([contents, startedAt, verifiedSince], [1, service.deps.clock(), null]);
    await round({ holder: 'another', rest: () => assert.fail('another node reads') });
    assert.equal((await state()).contents, 1);
    service.advance(11 * 60 * 1000);
    await round({ holder: 'another' });
    const ended = await state();
    assert.deepEqual([ended.contents, ended.bytes, ended.wrong], [bodies.length, storedBytes, 0]);
    assert.deepEqual([ended.startedAt, ended.verifiedSince], [null, startedAt]);
    assert.ok(rested > 0);
    assert.deepEqual(found, []);
  });

  test('starts again when half the time is over, and not before', async () => {
    const { verifiedSince } = await state();
    service.advance(withinMs / 2 - dayMs);
    await round();
    assert.equal((await state()).verifiedSince, verifiedSince);
    service.advance(dayMs);
    await round();
    assert.equal((await state()).verifiedSince, service.deps.clock());
  });

  test('wrong content is quarantined once, and the rest is read', async () => {
    service.advance(withinMs);
    await flipByte(await fileOf(bodies[3]), 77);
    await round();
    const contentHash = contentHashOf(bodies[3] ?? assert.fail());
    const finding = { workspaceId: access.workspace.id, contentHash, fault: 'stored_bytes_wrong' };
    assert.deepEqual(found, [{ ...finding, isRepaired: false }]);
    const { contents, wrong } = await state();
    assert.deepEqual([contents, wrong], [bodies.length, 1]);
    assert.equal((await service.deps.store.reader.scrub.figures()).quarantined, 1);
    service.advance(withinMs);
    await round();
    assert.deepEqual(found, []);
    assert.equal((await state()).contents, bodies.length - 1);
  });

  test('a configured backup supplies the right bytes at once', async () => {
    service.advance(withinMs);
    await flipByte(await fileOf(bodies[4]), 299_999);
    await round({
      async bringBack({ workspaceId, contentHash, sizeBytes }) {
        await using upload = await service.deps.blobs.beginUpload(workspaceId);
        await upload.write(bodies[4]?.slice() ?? assert.fail());
        return { kind: 'stored', generation: await upload.finish({ contentHash, sizeBytes }) };
      },
    });
    assert.deepEqual(
      found.map(({ isRepaired }) => isRepaired),
      [true],
    );
    service.advance(withinMs);
    await round();
    assert.deepEqual(found, []);
  });

  test('an unavailable disk marks no content as missing', async () => {
    service.advance(withinMs);
    const folder = join(service.dataDir, 'blobs', access.workspace.id);
    await rename(folder, `${folder}-away`);
    await assert.rejects(
      round({ isLocationThere: async () => false }),
      /is missing or is a different one: nothing was quarantined/,
    );
    await rename(`${folder}-away`, folder);
    assert.deepEqual(found, []);
    await round();
    assert.deepEqual(found, []);
  });

  test('a large content keeps the lease while it is read, and a stop does not wait for its end', async () => {
    service.advance(withinMs);
    // The first large content: each of its chunks takes almost the whole lease.
    let taken = 0;
    await round({
      rest: async () => {
        service.advance(9 * 60 * 1000);
        await scrubRound(service.deps, {
          holder: 'another',
          withinMs,
          bringBack: null,
          found: () => assert.fail('nothing is wrong'),
          reportProblem: assert.fail,
          isLocationThere: async () => true,
          rest: async () => {
            taken += 1;
          },
          signal: new AbortController().signal,
        });
      },
    });
    assert.equal(taken, 0);
    assert.equal((await state()).startedAt, null);

    service.advance(withinMs);
    const stopping = new AbortController();
    let rests = 0;
    await round({
      signal: stopping.signal,
      rest: async () => {
        rests += 1;
        stopping.abort();
      },
    });
    assert.equal(rests, 1);
    service.advance(11 * 60 * 1000);
    await round();
    assert.equal((await state()).startedAt, null);
    assert.deepEqual(found, []);
  });

  test('a clock that was a year ahead does not delay the next scrub', async () => {
    const ended = await state();
    const yearMs = 365 * dayMs;
    service.advance(yearMs);
    await round({ holder: 'ahead' });
    assert.equal((await state()).verifiedSince, service.deps.clock());
    service.advance(-yearMs);
    await round();
    const { contents, startedAt, verifiedSince } = await state();
    assert.deepEqual([contents, startedAt, verifiedSince], [ended.contents, null, service.deps.clock()]);
  });
});
