import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recordOf } from '../support/response.ts';

const program = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test('a short run compares the databases, with one node and with three, and leaves nothing behind', async () => {
  await using location = await temporaryLocation();
  const file = join(location.directory, 'report.json');
  const words = ['--database', 'embedded', '--seconds', '0.4', '--rounds', '1', '--json', file];
  const { code, table, progress } = await runBench(location, words);
  assert.equal(code, 0, progress);
  for (const what of ['one workspace', '64 workspaces', 'GET 4 KiB', 'idle feed poll']) {
    assert.match(table, new RegExp(`^\\| .*${what}.*: PostgreSQL, 1 node +\\| SQLite, 1 node +\\| \\d`, 'm'));
    assert.match(
      table,
      new RegExp(`^\\| .*${what}.*: PostgreSQL, 3 nodes +\\| PostgreSQL, 1 node +\\| \\d`, 'm'),
    );
  }
  const { server } = recordOf(recordOf(recordOf(JSON.parse(await readFile(file, 'utf8'))).raw).databases);
  assert.match(String(server), /^PostgreSQL 18/);
  assert.deepEqual(await readdir(location.directory), ['report.json']);
});

test('the comparison of databases needs the address of a PostgreSQL server', async () => {
  await using location = await temporaryLocation();
  const without = await runBench(location, ['--only', 'databases']);
  assert.equal(without.code, 2);
  assert.match(without.progress, /databases needs --database/);
  const wrong = await runBench(location, ['--database', 'mysql://localhost/x']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.progress, /--database is "embedded" or an address/);
});

async function runBench({ directory }: { readonly directory: string }, words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], table, progress] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, table, progress };
}

async function temporaryLocation() {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-bench-databases-'));
  // Run by root, PostgreSQL runs as another user and still needs access to this folder.
  await chmod(directory, 0o755);
  return {
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}
