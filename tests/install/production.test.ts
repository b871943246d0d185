import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { copyTracked } from './copy-tracked.ts';
import { makeImageTree } from './image-tree.ts';
import { startCommand } from './started-command.ts';

const builtProgram = 'packages/server/dist/program/main.cjs';

test('a copy of the sources with only production dependencies starts and is healthy', async () => {
  await inCleanCopy(async (copy, folder) => {
    await promisify(execFile)('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: copy });
    await assert.rejects(access(join(copy, 'node_modules/typescript')), 'development tools were installed');
    // An outdated build of other sources: without tools this copy cannot build a new one.
    await mkdir(join(copy, builtProgram, '..'), { recursive: true });
    await writeFile(join(copy, builtProgram), 'throw new Error("an old build was started")');
    // The web app is missing, because this copy cannot build it.
    assert.equal(await assertStarts(['npm', 'start'], copy, folder), 503);
  });
});

test('the tree of the container image starts, is healthy and holds the web app without its tools', async () => {
  await inCleanCopy(async (copy, folder) => {
    const tree = await makeImageTree(join(copy, 'deploy/Dockerfile'), copy, join(folder, 'stages'));
    await assert.rejects(access(join(tree, 'node_modules/vite')), 'development tools are in the image');
    await access(join(tree, 'packages/cli/dist/download/stoa-cli.tgz'));
    await access(join(tree, builtProgram));
    assert.equal(await assertStarts(['node', 'packages/server/bin/stoa-server.cjs'], tree, folder), 200);
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

/** @returns the status of the app's first page. */
async function assertStarts(command: readonly string[], cwd: string, folder: string): Promise<number> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = { STOA_PORT: String(port), STOA_DATA_DIR: join(folder, 'data') };
  await using started = await startCommand(command, { cwd, url, variables });
  assert.match(started.printed(), /Stoa is at/);
  const page = await fetch(url);
  await page.body?.cancel();
  return page.status;
}
