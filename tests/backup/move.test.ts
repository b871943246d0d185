import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHttpClient } from '../support/http-client.ts';
import { operatorRun } from '../support/operator.ts';
import { createKey } from '../support/people.ts';
import { integerAt, jsonOf, recordsAt } from '../support/response.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import { serviceEnvironment, startService } from '../support/service-process.ts';
import { share } from '../support/shares.ts';
import { useServer } from '../sync/support/shared-workspace.ts';
import { hashOf } from '../sync/support/synced-folder.ts';
import { dataFolder, fixturesFolder, readRecorded } from '../upgrade/fixtures.ts';
import { observeService } from '../upgrade/observe-service.ts';

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stoa-move-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The settings of a home, as an operator writes them into a file. */
async function settingsOf(home: ServiceHome, folder: string): Promise<string> {
  const file = join(folder, `${home.backEnd}.env`);
  const lines = Object.entries(home.variables).map(([name, value]) => `${name}='${value}'`);
  await writeFile(file, `# Where it goes\n${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

test('a move from SQLite and disk to PostgreSQL and a bucket, and back, loses nothing', async () => {
  await using first = await makeServiceHome('sqlite-disk');
  await using second = await makeServiceHome('postgres-s3');
  await using third = await makeServiceHome('sqlite-disk');
  await using folder = await temporaryFolder();
  // The credentials of the bucket are those of the machine.
  const credentials = Object.fromEntries(
    Object.entries(second.variables).filter(([name]) => name.startsWith('AWS_')),
  );
  const environmentOf = (home: ServiceHome) => ({
    env: serviceEnvironment({ ...home.variables, ...credentials }),
  });
  const fixture = join(fixturesFolder, '0.1.0', 'sqlite-disk');
  const { filled } = await readRecorded(fixture);
  await cp(join(fixture, dataFolder), String(first.variables.STOA_DATA_DIR), { recursive: true });

  const service = await startService({}, { home: first });
  const { port, url } = service;
  const client = openHttpClient(url);
  const shared = await (await useServer(client)).workspace();
  const { workspace, person } = shared;
  const bodies = new Map<string, string | Uint8Array>([
    ['notes/plan.md', '# Plan\n'],
    ['pictures/large.bin', randomBytes(300_000)],
    ['pictures/larger.bin', randomBytes(70_000)],
  ]);
  for (const [path, body] of bodies) assert.equal((await workspace.put(path, body)).status, 201);
  await using ada = await shared.folder(url);
  assert.equal((await ada.run('sync')).code, 0);
  const { secret: key } = await createKey(person, { workspaceId: workspace.id, name: 'Agent' });
  const link = await share(workspace, 'notes/plan.md');
  let cursor = integerAt(jsonOf(await workspace.query('changes', { limit: 0 })), 'head');
  const observed = await observeService(url, filled);

  const goesOn = async (name: string) => {
    // The cookie, the key and the link from before still work.
    for (const [path, body] of bodies) {
      const response = await workspace.get(path);
      assert.deepEqual([response.status, hashOf(response.bytes)], [200, hashOf(body)], path);
    }
    assert.equal((await workspace.as(client.as({ 'x-api-key': key })).query('list')).status, 200);
    assert.equal((await client.send('GET', link.path)).status, 200);
    // Only the secret can derive the link's address again.
    const [listed] = recordsAt(jsonOf(await workspace.query('shares', { path: 'notes/plan.md' })), 'shares');
    assert.equal(listed?.url, link.record.url);
    assert.equal((await workspace.put(`notes/${name}.md`, name)).status, 201);
    bodies.set(`notes/${name}.md`, name);
    const later = jsonOf(await workspace.query('changes', { sinceSeq: cursor }));
    assert.deepEqual(
      recordsAt(later, 'changes').map((change) => [change.path, change.seq]),
      [[`notes/${name}.md`, cursor + 1]],
    );
    cursor = integerAt(later, 'nextSeq');
    const synced = await ada.run('sync');
    assert.equal(synced.code, 0, synced.stdout + synced.stderr);
    await shared.untilSame([ada]);
  };

  const toSecond = await settingsOf(second, folder.path);
  await service.end('SIGTERM');
  const moved = await operatorRun(environmentOf(first), 'move-to', toSecond, '--contents', '--json');
  assert.equal(moved.code, 0, moved.stdout + moved.stderr);
  const report = JSON.parse(moved.stdout);
  assert.deepEqual(report.problems, []);
  assert.ok(report.contents.contents >= 3);
  const { password } = new URL(String(second.variables.STOA_DATABASE_URL));
  assert.ok(password !== '' && !moved.stdout.includes(password));
  {
    await using elsewhere = await startService({}, { home: second, port });
    assert.deepEqual(await observeService(url, filled), observed);
    await goesOn('second');
    await elsewhere.end('SIGTERM');
  }
  const back = await operatorRun(environmentOf(second), 'move-to', await settingsOf(third, folder.path));
  assert.equal(back.code, 0, back.stdout + back.stderr);
  assert.match(back.stdout, /STOA_DATABASE_URL is no longer set\n {2}STOA_BLOB_URL is no longer set\n/);
  await using home = await startService({}, { home: third, port });
  await goesOn('third');
  // Each move is in the audit log, which moves along, without the password of the destination.
  const reported = (await operatorRun(environmentOf(third), 'audit')).stdout.trimEnd().split('\n');
  const moves = reported.map((line) => JSON.parse(line)).filter(({ target }) => target?.name === 'move-to');
  assert.deepEqual(
    moves.map(({ action, by, details }) => [action, by.id, details.operands]),
    [
      ['operator.command', 'operator', toSecond],
      ['operator.command', 'operator', await settingsOf(third, folder.path)],
    ],
  );
  assert.match(moves[0]?.details.to, /^postgres:.*, with large contents in s3:/);
  assert.ok(!JSON.stringify(moves).includes(password));
  await home.end('SIGTERM');
  client.close();
});
