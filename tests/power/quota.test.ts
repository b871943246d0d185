import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { findLosses } from '../crash/find-losses.ts';
import { observeWorkspace } from '../crash/observe-workspace.ts';
import { startLoad } from '../crash/start-load.ts';
import { seededRandom, seedFrom } from '../support/random.ts';
import { checkFolder } from '../support/served-folder.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { noTracer } from './look-at-states.ts';

const times = 2;
const errorsPerTime = 24;
const responsesPerTime = 12;
/** The calls that grow the database, and the calls that give a large content its name. Sockets use none of them. */
const growing = ['pwrite64', 'pwritev', 'ftruncate', 'fallocate', 'mkdir', 'rename', 'renameat', 'renameat2'];

/**
 * Makes calls of this process fail as if the quota of the file system were reached.
 * @returns a function that ends the failures; null where this process may not trace another one.
 */
async function reachQuota(pid: number): Promise<(() => Promise<void>) | null> {
  const calls = growing.join(',');
  const options = ['-f', '-p', String(pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EDQUOT`];
  const tracer = spawn('strace', [...options, '-o', '/dev/null'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'exit');
  let says = '';
  const attached = new Promise<void>((resolve) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      says += text;
      if (says.includes(' attached')) resolve();
    });
  });
  const isAttached = await Promise.race([attached.then(() => true), ended.then(() => false)]);
  if (!isAttached && says.includes('not permitted')) return null;
  assert.ok(isAttached, says);
  return async () => {
    tracer.kill('SIGINT');
    await ended;
  };
}

test('an exhausted quota acts like a full disk: reads work, and no acknowledged change is lost', {
  skip: noTracer,
  timeout: 600_000,
}, async (t) => {
  const seed = seedFrom('STOA_QUOTA_SEED');
  t.diagnostic(`STOA_QUOTA_SEED=${seed}`);
  await using home = await makeServiceHome('sqlite-disk');
  await using service = await startService({}, { home });
  let rejected = 0;
  await using load = await startLoad(service.url, seededRandom(seed), {
    isRejection({ status, bytes }) {
      const isForRoom = status === 503 && bytes.toString().includes('"storage_full"');
      if (isForRoom) rejected += 1;
      return isForRoom;
    },
  });
  const until = async (isSo: () => boolean) => {
    const isReached = await load.until(isSo).catch((error: unknown) => {
      throw new Error(service.log(), { cause: error });
    });
    assert.ok(isReached, service.log());
  };
  const alongside = await load.addWorkspace();
  for (let time = 0; time < times; time += 1) {
    const before = load.acknowledged();
    await until(() => load.acknowledged() >= before + responsesPerTime);
    const path = `${time}.bin`;
    const body = Buffer.alloc(time % 2 === 0 ? 3000 : 90_000, path);
    assert.equal((await alongside.put(path, body)).status, 201);
    const end = await reachQuota(service.pid);
    if (end === null) return t.skip('tracing a process that runs already needs root');
    try {
      const rejectedBefore = rejected;
      await until(() => rejected >= rejectedBefore + errorsPerTime);
      const read = await alongside.get(path);
      assert.deepEqual([read.status, read.bytes], [200, body]);
      const large = await alongside.put(`large ${time}.bin`, Buffer.alloc(200_000, 'x'));
      assert.match(large.bytes.toString(), /"storage_full"/);
    } finally {
      await end();
    }
  }
  const before = load.acknowledged();
  await until(() => load.acknowledged() >= before + responsesPerTime);
  const attempts = await load.end();
  const problems: string[] = [];
  for (const workspace of load.workspaces) {
    const all = attempts.get(workspace.id) ?? [];
    problems.push(...findLosses(all, await observeWorkspace(workspace, all, 3)));
  }
  await service.end('SIGTERM');
  const folder = home.variables.STOA_DATA_DIR ?? assert.fail('a home without a folder');
  const found = await checkFolder(folder);
  assert.deepEqual([...problems, ...found.problems], [], `STOA_QUOTA_SEED=${seed}`);
  t.diagnostic(`${load.acknowledged()} changes acknowledged and kept, ${rejected} rejected`);
});
