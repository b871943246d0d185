import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { scrubBackupProblem } from '../../src/backup/scrub-backup-problem.ts';
import { startedServer } from '../http/support/started-server.ts';

describe('the backup directory of a scrub', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-scrub-backup-'));
    await mkdir(join(folder, 'filled/backups'), { recursive: true });
    await writeFile(join(folder, 'filled/backups/2026-11-20T01-00-00.000Z.json'), '{}');
    await writeFile(join(folder, 'a-file'), '');
    await mkdir(join(folder, 'empty'));
  });
  after(() => rm(folder, { recursive: true }));

  const problem = (scrubBackup: string | null, scrubDays = 30) =>
    scrubBackupProblem({
      scrubBackup: scrubBackup === null ? null : join(folder, scrubBackup),
      scrubDays,
    });

  test('is valid when it contains a backup, or when none is configured', async () => {
    assert.equal(await problem('filled'), null);
    assert.equal(await problem(null, 0), null);
  });

  test('is reported at the start when it is empty, missing or never used', async () => {
    for (const name of ['empty', 'absent', 'a-file']) {
      assert.match((await problem(name)) ?? '', /^there is no backup in STOA_SCRUB_BACKUP \(.*\), and until/);
    }
    assert.match(
      (await problem('filled', 0)) ?? '',
      /^STOA_SCRUB_DAYS is 0, so STOA_SCRUB_BACKUP is not used/,
    );
    await using stoa = await startedServer({ STOA_SCRUB_BACKUP: join(folder, 'absent') });
    const isSaid = () => stoa.log.some((line) => line.includes('there is no backup in STOA_SCRUB_BACKUP'));
    for (let looks = 0; looks < 1000 && !isSaid(); looks += 1) await stoa.call('/api/health');
    assert.ok(isSaid());
  });
});
