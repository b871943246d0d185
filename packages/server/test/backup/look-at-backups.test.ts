import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Installation, openInstallation, runAdminProcess } from '../admin/support/admin-process.ts';
import { flipByte, keepBytes } from '../storage/support/blob-contents.ts';

/** Keeps random bytes as a large content of a workspace. @returns their hash. */
async function keepLarge({ deps, config }: Installation): Promise<string> {
  const bytes = randomBytes(100_000);
  const { workspaceId, contentHash, generation } = await keepBytes(deps.service.blobs, 'ws_a', bytes);
  using database = new DatabaseSync(join(config.dataDir, 'stoa.db'));
  database
    .prepare(
      `insert into blob (workspace_id, content_hash, size_bytes, generation, created_at)
       values (?, ?, ?, ?, 1)`,
    )
    .run(workspaceId, contentHash, bytes.byteLength, generation);
  return contentHash;
}

test('lists the backups of a directory and whether each is complete, without an installation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-backups-'));
  const directory = join(folder, 'backups');
  try {
    await using installation = await openInstallation();
    const { admin } = installation;
    assert.match((await admin(['backup', 'list', directory])).err, /^there is no backup in /);
    const kept = await keepLarge(installation);
    const names = [];
    for (const made of ['first', 'second']) {
      const { code, out, err } = await admin(['backup', directory, '--json']);
      assert.deepEqual([code, err], [0, ''], made);
      names.push(JSON.parse(out).name);
      await keepLarge(installation);
    }
    const listed = async (...words: readonly string[]) => {
      const { code, out, err } = await admin(['backup', 'list', directory, '--json', ...words]);
      assert.equal(err, '');
      const { backups } = JSON.parse(out);
      const counts = backups.map(({ name, whole, contents, missingCount }: Record<string, unknown>) => ({
        ...{ name, whole, missingCount, count: (contents as { count: number } | undefined)?.count },
      }));
      return { code, counts };
    };
    const [first, second] = names;
    const whole = { whole: true, missingCount: 0 };
    assert.deepEqual(await listed('--contents'), {
      code: 0,
      counts: [
        { name: first, count: 1, ...whole },
        { name: second, count: 2, ...whole },
      ],
    });
    const { code, out } = await admin(['backup', 'list', directory]);
    assert.equal(code, 0);
    assert.match(out, /^BACKUP +DATABASE +LARGE CONTENTS$/m);
    assert.match(out, /^\S+Z +\d+ bytes +2 of 200000 bytes$/m);
    assert.match(out, /^Every backup is complete \(--contents reads every byte\)\.$/m);

    // Only reading the object shows a flipped byte. A missing object is always detected.
    const object = join(directory, 'objects', kept.slice(0, 2), kept);
    await flipByte(object, 50_000);
    assert.equal((await listed()).code, 0);
    const wrong = { whole: false, missingCount: 1 };
    const damaged = {
      code: 3,
      counts: [
        { name: first, count: 1, ...wrong },
        { name: second, count: 2, ...wrong },
      ],
    };
    assert.deepEqual(await listed('--contents'), damaged);
    await rm(object);
    assert.deepEqual(await listed(), damaged);
    const reported = await admin(['backup', 'list', directory]);
    assert.equal(reported.code, 3);
    assert.match(reported.out, /^\S+Z .* 1 objects are missing or damaged$/m);

    // A chunk of the database: a backup that includes it cannot be restored, and the error says where to look
    // for another.
    const chunksOf = async (name: string) => {
      const manifest = JSON.parse(await readFile(join(directory, 'backups', `${name}.json`), 'utf8'));
      return manifest.database.pieces as readonly string[];
    };
    const [chunk = ''] = await chunksOf(String(second));
    const chunkFile = join(directory, 'objects', chunk.slice(0, 2), chunk);
    await flipByte(chunkFile, 5000);
    const lines = (await admin(['backup', 'list', directory, '--contents'])).out.split('\n');
    for (const name of names.map(String)) {
      const hasIt = (await chunksOf(name)).includes(chunk);
      const line = lines.find((each) => each.startsWith(name));
      assert.equal(line?.endsWith('; it cannot be restored: its database is damaged'), hasIt, line ?? name);
    }
    const restored = { STOA_DATA_DIR: join(folder, 'restored') };
    const rejected = await runAdminProcess(['restore', directory], '', restored);
    assert.equal(rejected.code, 1);
    assert.match(
      rejected.err,
      /its chunk [0-9a-f]{64} is missing or damaged.*backup list <directory> --contents/,
    );
    await flipByte(chunkFile, 5000);

    // A new backup repairs earlier ones from the readable contents of the installation.
    assert.equal((await admin(['backup', directory, '--contents'])).code, 0);
    assert.equal((await listed('--contents')).code, 0);
    await writeFile(join(directory, 'backups', `${first}.json`), 'half');
    const half = await listed();
    assert.deepEqual(
      half.counts.map(({ whole: isWhole }: { whole: boolean }) => isWhole),
      [false, true, true],
    );
    assert.match((await admin(['backup', 'list', directory])).out, /damaged, or of a newer release/);
    assert.deepEqual((await readdir(directory)).toSorted(), ['.lock', 'backups', 'objects']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
