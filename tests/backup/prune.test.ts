import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after as afterAll, test } from 'node:test';
import { restore } from '../support/backups-here.ts';
import { openHttpClient } from '../support/http-client.ts';
import { operator, operatorRun } from '../support/operator.ts';
import { checkFolder } from '../support/served-folder.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { useServer } from '../sync/support/shared-workspace.ts';
import { hashOf } from '../sync/support/synced-folder.ts';

/** Dates a backup back to this time. */
async function redate(directory: string, name: string, madeAt: string): Promise<string> {
  const file = join(directory, 'backups', `${name}.json`);
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const other = madeAt.replaceAll(':', '-');
  await writeFile(join(directory, 'backups', `${other}.json`), JSON.stringify({ ...manifest, madeAt }));
  await rm(file);
  return other;
}

for (const backEnd of ['sqlite-disk', 'postgres-disk', 'postgres-s3'] as const) {
  test(`backups are pruned while a service runs on ${backEnd}`, async () => {
    await using home = await makeServiceHome(backEnd);
    await using service = await startService({}, { home });
    const directory = await mkdtemp(join(tmpdir(), 'stoa-thinned-'));
    afterAll(() => rm(directory, { recursive: true, force: true }));
    const client = openHttpClient(service.url);
    afterAll(() => client.close());
    const { workspace } = await (await useServer(client)).workspace();
    const names: string[] = [];
    const bodies = new Map<string, Uint8Array>();
    for (const day of ['2026-10-31', '2026-11-08', '2026-11-09', '2026-11-10']) {
      bodies.set(`${day}.bin`, randomBytes(80_000));
      assert.equal((await workspace.put(`${day}.bin`, bodies.get(`${day}.bin`) ?? '')).status, 201);
      const made = JSON.parse(await operator(service, 'backup', directory, '--json'));
      names.push(await redate(directory, made.name, `${day}T02:00:00.000Z`));
    }
    const prune = (...words: readonly string[]) =>
      operatorRun(service, 'backup', 'prune', directory, ...words);
    // The error is the same on each back end, because it comes before anything is opened.
    const wrongRules = backEnd === 'sqlite-disk' ? [[], ['--keep-daily', '0'], ['--keep-last', 'all']] : [];
    for (const wrong of wrongRules) assert.equal((await prune(...wrong)).code, 1);
    const rule = ['--keep-daily', '2', '--keep-monthly', '2'];
    const dry = await prune(...rule, '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /^2026-10-31T02-00-00.000Z {2}kept {6}monthly$/m);
    assert.match(dry.stdout, /^2026-11-08T02-00-00.000Z {2}would go$/m);
    assert.match(dry.stdout, /^2026-11-10T02-00-00.000Z {2}kept {6}newest, daily, monthly$/m);
    assert.match(dry.stdout, /^Would remove 1 backups, and \d+ objects of \d+ bytes/m);
    const pruned = await prune(...rule, '--json');
    assert.equal(pruned.code, 0, pruned.stderr);
    const { removed, objects } = JSON.parse(pruned.stdout);
    assert.deepEqual(removed, [names[1]]);
    // A backup of PostgreSQL has only the large contents, and a list of them.
    assert.ok(objects.count >= 1, pruned.stdout);
    assert.equal((await operatorRun(service, 'restore', directory, '--at', names[1] ?? '')).code, 1);

    const log = (await operator(service, 'audit')).trimEnd().split('\n');
    const reported = log
      .map((line) => JSON.parse(line))
      .filter(({ target }) => target?.name === 'backup prune');
    // The dry run and the rejected calls are not recorded.
    assert.deepEqual(
      reported.map(({ details }) => details),
      [{ operands: directory }],
    );

    // All contents ever stored come back from the remaining backups.
    assert.equal(await home.removeStored(), bodies.size);
    const repaired = await operatorRun(service, 'repair', '--from', directory, '--json');
    assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
    for (const [path, body] of bodies) {
      const response = await workspace.get(path);
      assert.deepEqual([response.status, hashOf(response.bytes)], [200, hashOf(body)], path);
    }
    if (backEnd !== 'sqlite-disk') return;
    for (const name of [names[0], names[2], names[3]]) {
      const location = join(directory, `put back ${name}`);
      await restore(directory, name ?? '', location);
      assert.deepEqual((await checkFolder(location)).problems, []);
    }
  });
}
