import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { serviceEnvironment } from '../support/service-process.ts';

const repository = join(import.meta.dirname, '../..');
const startDeadlineMs = 30_000;

test('npm start ends with its process on SIGTERM, and the port is free again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-npm-start-'));
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: repository,
    env: serviceEnvironment({ STOA_PORT: String(port), STOA_DATA_DIR: folder, STOA_LOG_LEVEL: 'warn' }),
    stdio: 'ignore',
    // A group of its own, so that nothing is left behind when the test fails.
    detached: true,
  });
  assert.ok(npm.pid !== undefined);
  const ended = once(npm, 'exit');
  try {
    await untilHealthy(`http://127.0.0.1:${port}/api/health`);
    process.kill(npm.pid, 'SIGTERM');
    await ended;
    const next = createServer().listen(port, '127.0.0.1');
    await once(next, 'listening');
    next.close();
  } finally {
    endGroup(npm.pid);
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});

test('what npm runs for a long time replaces the shell that npm starts, so that signals reach it', async () => {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  for (const name of ['start', 'admin']) assert.match(scripts[name], /^exec node /, name);
});

async function untilHealthy(url: string): Promise<void> {
  const deadline = performance.now() + startDeadlineMs;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    await wait(50);
  }
  assert.fail(`${url} did not answer`);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}
