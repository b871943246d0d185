import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { parseWorkspacePath, WorkspaceError, type WritePrecondition } from '@stoa/core';
import { type BackedUpContent, openBackupContents } from '../../src/backup/backup-contents.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { checkInstallation } from '../../src/service/checking/check-installation.ts';
import { repairDerived } from '../../src/service/checking/repair.ts';
import { repairLost, repairQuarantined } from '../../src/service/checking/repair-contents.ts';
import {
  quarantineIfWrong,
  quarantineScript,
  readBeforeGivenUpBytesMax,
  repairContentScript,
} from '../../src/service/contents/quarantine.ts';
import { collectBytes } from '../../src/service/contents/read-whole.ts';
import { readFile } from '../../src/service/files/read-file.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import { orphanGraceMs, sweepBlobs } from '../../src/storage/blobs/sweep-blobs.ts';
import { contentHashOf, flipByte, patterned } from '../storage/support/blob-contents.ts';
import { type OpenedService, openService, personNamed } from '../support/open-service.ts';

const create: WritePrecondition = { kind: 'absent' };
const onto = (version: number): WritePrecondition => ({ kind: 'version', version, contentHash: null });

describe('damaged stored bytes', () => {
  let service: OpenedService;
  let access: WorkspaceAccess;
  before(async () => {
    service = await openService();
    access = await service.openWorkspace(personNamed('ada'));
  });
  after(async () => await service[Symbol.asyncDispose]());

  const write = (path: string, bytes: Uint8Array, precondition: WritePrecondition) =>
    writeFile(service.deps, access, {
      path: parseWorkspacePath(path),
      precondition,
      onConflict: 'keep',
      contentType: null,
      body: Readable.from([bytes.slice()]),
      emptyAllowed: false,
    });
  const read = async (path: string): Promise<Uint8Array | string> => {
    try {
      const { file, open } = await readFile(service.deps, access, {
        path: parseWorkspacePath(path),
        opens: 'surely',
      });
      return await collectBytes(await open(), file.sizeBytes);
    } catch (error) {
      if (error instanceof WorkspaceError) return error.code;
      throw error;
    }
  };
  /** The difference of two large contents takes minutes to print. */
  const hasBytes = async (path: string, bytes: Uint8Array | undefined) => {
    const found = await read(path);
    if (typeof found === 'string') assert.fail(`${path}: ${found}`);
    assert.ok(Buffer.from(found).equals(bytes ?? assert.fail()), `${path} has other bytes`);
  };
  const rulesBroken = async () =>
    (await checkInstallation(service.deps, { readBytes: true }, () => {})).problems.map(({ rule }) => rule);
  /** Flips one bit of a content without a report, as a failing disk does. */
  const flip = async (bytes: Uint8Array) => {
    const hash = contentHashOf(bytes);
    const folder = join(service.dataDir, 'blobs', access.workspace.id, hash.slice(0, 2));
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => each.startsWith(hash));
    if (name !== undefined) return await flipByte(join(folder, name), bytes.byteLength - 1);
    const database = new DatabaseSync(join(service.dataDir, 'stoa.db'));
    const changed = bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
    database.prepare('update blob set bytes = ? where content_hash = ?').run(changed, hash);
    database.close();
    // Reads in this tick of the event loop may return a shared earlier result.
    await new Promise((resolve) => setImmediate(resolve));
    service.deps.store.refreshReads();
  };

  /** Quarantines a content, as a scrub does. */
  const quarantine = async (bytes: Uint8Array | undefined) => {
    const { workspace } = access;
    const contentHash = contentHashOf(bytes ?? assert.fail());
    const kept = await service.deps.store.reader.blobs.locate(workspace.id, contentHash);
    const generation = kept?.kind === 'stored' ? kept.generation : null;
    const finding = { fault: 'stored_bytes_wrong', now: 1 } as const;
    const content = { workspaceId: workspace.id, contentHash, generation };
    assert.equal(await service.deps.store.transact(quarantineScript, { ...content, ...finding }), true);
  };

  for (const [size, sizeBytes] of [
    ['small', 1000],
    ['large', 200_000],
  ] as const) {
    const bytesOf = (seed: number) => patterned(sizeBytes + seed);

    test(`${size}: wrong bytes are never read as a whole file`, async () => {
      const bytes = bytesOf(1);
      await write(`${size}-read`, bytes, create);
      await flip(bytes);
      assert.equal(await read(`${size}-read`), 'stored_bytes_missing');
      await write(`${size}-mended`, bytes, create);
      await hasBytes(`${size}-read`, bytes);
    });

    test(`${size}: writing the same bytes elsewhere repairs wrong ones`, async () => {
      const bytes = bytesOf(2);
      await write(`${size}-first`, bytes, create);
      await flip(bytes);
      await write(`${size}-second`, bytes, create);
      await hasBytes(`${size}-second`, bytes);
      await hasBytes(`${size}-first`, bytes);
      assert.deepEqual(await rulesBroken(), []);
    });

    test(`${size}: a late write without a change, and one that lost already, also repair them`, async () => {
      const [own, lost] = [bytesOf(3), bytesOf(4)];
      await write(`${size}-late`, bytesOf(5), create);
      await write(`${size}-late`, own, onto(1));
      const first = await write(`${size}-late`, lost, onto(1));
      assert.ok(first.kind === 'conflict');
      await flip(own);
      await flip(lost);
      assert.equal((await write(`${size}-late`, own, onto(1))).kind, 'unchanged');
      assert.deepEqual(await write(`${size}-late`, lost, onto(1)), first);
      await hasBytes(`${size}-late`, own);
      await hasBytes(first.conflictCopyPath, lost);
      assert.deepEqual(await rulesBroken(), []);
    });
  }

  test('contents come back from a backup, also small ones and quarantined ones', async () => {
    // Earlier tests left quarantined contents.
    await repairDerived(service.deps);
    const bodies = [1100, 1200, 210_000, 220_000].map((sizeBytes) => patterned(sizeBytes));
    for (const [index, bytes] of bodies.entries()) await write(`backed-up-${index}`, bytes, create);
    const directory = join(service.dataDir, 'backup');
    const database = {
      kind: 'sqlite',
      file: join(service.dataDir, 'stoa.db'),
      sessionSecretFile: join(service.dataDir, 'none'),
    } as const;
    const backUp = (into: string) =>
      makeBackup({ database, blobs: service.deps.blobs }, into, { readKept: false }, () => {});
    await backUp(directory);
    for (const bytes of bodies) await flip(bytes);
    // A backup with the wrong bytes in its database is checked and skipped.
    await backUp(directory);
    await quarantine(bodies[0]);
    await quarantine(bodies[2]);
    assert.equal(await read('backed-up-0'), 'stored_bytes_missing');
    assert.deepEqual((await rulesBroken()).toSorted(), [
      'content_quarantined',
      'stored_bytes_wrong',
      'version_without_bytes',
    ]);
    const { lost } = (await backUp(join(service.dataDir, 'second'))).manifest.contents;
    assert.deepEqual(
      lost.map(({ contentHash }) => contentHash).toSorted(),
      [bodies[0], bodies[2], bodies[3]].map((bytes) => contentHashOf(bytes ?? assert.fail())).toSorted(),
    );

    await using backup = await openBackupContents(directory, service.dataDir);
    const bringBack = (content: BackedUpContent) => backup.bringBack(content, service.deps.blobs);
    assert.deepEqual(await repairQuarantined(service.deps, bringBack), { released: 0, back: 2 });
    assert.equal(await repairLost(service.deps, { readBytes: true, bringBack }, () => {}), 2);
    for (const [index, bytes] of bodies.entries()) {
      await hasBytes(`backed-up-${index}`, bytes);
    }
    // The four quarantine rows go once the right bytes are there.
    assert.deepEqual(await repairDerived(service.deps), { counters: 0, rows: 4 });
    assert.deepEqual(await rulesBroken(), []);
  });

  test('sweep and repair keep quarantined content, and right bytes are released again', async () => {
    const bytes = patterned(230_000);
    await write('away', bytes, create);
    await quarantine(bytes);
    assert.equal(await read('away'), 'stored_bytes_missing');
    const clock = () => Date.now() + 2 * orphanGraceMs;
    await sweepBlobs({ ...service.deps, clock });
    await repairDerived(service.deps);
    assert.deepEqual(await repairQuarantined(service.deps, null), { released: 1, back: 0 });
    await hasBytes('away', bytes);
  });

  test('missing content is stored again, and right bytes are stored once', async () => {
    const bytes = patterned(300_000);
    const folder = join(service.dataDir, 'blobs', access.workspace.id, contentHashOf(bytes).slice(0, 2));
    await write('gone', bytes, create);
    const [name] = await readdir(folder);
    await rm(join(folder, String(name)));
    await write('again', bytes, create);
    await write('once more', bytes, create);
    await hasBytes('gone', bytes);
    assert.equal((await readdir(folder)).length, 1);
  });

  test('an upload verifies existing content up to 64 MiB, and above only checks that it exists', async () => {
    const { store, clock } = service.deps;
    const workspaceId = access.workspace.id;
    const openedBytes: number[] = [];
    const blobs: typeof service.deps.blobs = {
      ...service.deps.blobs,
      async open(_, { start, end }) {
        openedBytes.push(end - start);
        return new ReadableStream({ type: 'bytes', start: (controller) => controller.close() });
      },
    };
    for (const sizeBytes of [readBeforeGivenUpBytesMax, readBeforeGivenUpBytesMax + 1]) {
      const contentHash = contentHashOf(Buffer.from(`${sizeBytes} bytes`));
      const location = { kind: 'stored', generation: `of-${sizeBytes}` } as const;
      const content = { workspaceId, contentHash, sizeBytes, location };
      await store.transact(repairContentScript, { ...content, wrong: null, now: clock() });
      await quarantineIfWrong({ store, blobs, clock }, workspaceId, content);
      assert.deepEqual(await store.reader.blobs.locate(workspaceId, contentHash), location);
      // The object of this row was never written.
      await quarantineIfWrong(service.deps, workspaceId, content);
      assert.equal(await store.reader.blobs.locate(workspaceId, contentHash), null);
    }
    assert.deepEqual(openedBytes, [readBeforeGivenUpBytesMax, 1]);
  });
});
