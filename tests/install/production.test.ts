import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { copyTracked } from './copy-tracked.ts';
import { makeImageTree } from './image-tree.ts';
import { startCommand } from './started-command.ts';

test('a copy of the sources with production dependencies alone starts and is healthy', async () => {
  await inCleanCopy(async (copy, folder) => {
    await promisify(execFile)('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: copy });
    await assert.rejects(access(join(copy, 'node_modules/typescript')), 'development tools were installed');
    await assertStarts(['npm', 'start'], copy, folder);
  });
});

test('the tree of the container image starts and is healthy', async () => {
  await inCleanCopy(async (copy, folder) => {
    const tree = await makeImageTree(join(copy, 'deploy/Dockerfile'), copy, join(folder, 'stages'));
    await assertStarts(['node', 'packages/server/src/main.ts'], tree, folder);
  });
});

async function inCleanCopy(use: (copy: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-production-'));
  try {
    const copy = join(folder, 'copy');
    await copyTracked(copy);
    await use(copy, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function assertStarts(command: readonly string[], cwd: string, folder: string): Promise<void> {
  const port = await freePort();
  const variables = { STOA_PORT: String(port), STOA_DATA_DIR: join(folder, 'data') };
  await using started = await startCommand(command, { cwd, url: `http://127.0.0.1:${port}`, variables });
  assert.match(started.printed(), /Stoa is at/);
}
