import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseOptions } from '../../bench/parse-options.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';

const program = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test('a short run measures one case, writes its report and leaves nothing behind', async () => {
  await using location = await temporaryLocation();
  const file = join(location.directory, 'report.json');
  const child = startBench(location, [
    ...['--only', 'get-4k', '--seconds', '0.2', '--rounds', '2', '--beside', 'none'],
    ...['--json', file],
  ]);
  const [[code], table, progress] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(code, 0, progress);
  assert.match(table, /^\| GET 4 KiB, 32 connections +\| bare node:http +\| \d/m);
  const report = recordOf(JSON.parse(await readFile(file, 'utf8')));
  const bare = recordsAt(report, 'rows').find((row) => textAt(row, 'against') === 'bare node:http');
  const ratio = recordOf(recordOf(bare?.result).ratio);
  assert.ok(typeof ratio.median === 'number' && ratio.median > 0, JSON.stringify(bare));
  assert.deepEqual(await readdir(location.directory), ['report.json']);
});

test('a short run compares tools with the REST requests that do the same', async () => {
  await using location = await temporaryLocation();
  const file = join(location.directory, 'report.json');
  const child = startBench(location, ['--only', 'mcp', '--seconds', '0.1', '--rounds', '1', '--json', file]);
  const [[code], table, progress] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(code, 0, progress);
  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const what of ['read_file 4 KiB', 'write_file 4 KiB', 'tools/list']) {
      assert.match(table, new RegExp(`^\\| ${what}, ${revision}, processor time +\\| 2 × `, 'm'));
      assert.match(table, new RegExp(`^\\| ${what}, ${revision}, requests per second +\\| \\S`, 'm'));
    }
  }
  const report = recordOf(JSON.parse(await readFile(file, 'utf8')));
  for (const rounds of Object.values(recordOf(recordOf(report.raw).mcp))) {
    assert.ok(Array.isArray(rounds) && rounds.length === 1, JSON.stringify(rounds));
    for (const round of rounds) assert.ok(Number(recordOf(round).requests) > 0, JSON.stringify(round));
  }
});

test('a short run measures an idle watched folder', async () => {
  await using location = await temporaryLocation();
  const file = join(location.directory, 'report.json');
  const words = ['--only', 'sync-idle', '--scale', '0.001', '--rounds', '1', '--json', file];
  const child = startBench(location, words);
  const [[code], table, progress] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(code, 0, progress);
  assert.match(table, /^\| watch of 100 files, start until in sync +\| 4 × find \+ start of Node +\| \d/m);
  assert.match(table, /^\| idle watch, requests +\| 3 a minute +\| \d/m);
  const { first } = recordOf(recordOf(recordOf(JSON.parse(await readFile(file, 'utf8'))).raw)['sync-idle']);
  assert.equal(recordOf(recordOf(first).report).up, 100);
  assert.deepEqual(await readdir(location.directory), ['report.json']);
});

test('one name selects all cases of the CLI', () => {
  const parsed = parseOptions(['--only', 'get-4k,sync']);
  assert.ok(parsed.kind === 'run');
  const [first, ...rest] = parsed.options.only;
  assert.equal(first, 'get-4k');
  assert.ok(rest.length > 5 && rest.every((id) => id.startsWith('sync-')), rest.join());
  assert.equal(parseOptions(['--scale', '0']).kind, 'refused');
});

test('reads the size of large workspaces, and compares with an earlier commit by default', () => {
  const optionsOf = (words: readonly string[]) => {
    const parsed = parseOptions(words);
    assert.ok(parsed.kind === 'run', words.join(' '));
    return parsed.options;
  };
  assert.equal(optionsOf([]).files, 100_000);
  assert.equal(optionsOf(['--full']).files, 1_000_000);
  assert.equal(optionsOf(['--files', '10000']).files, 10_000);
  for (const files of ['0', '10001', '1e9', 'many']) {
    assert.equal(parseOptions(['--files', files]).kind, 'refused', files);
  }
  assert.deepEqual(optionsOf([]).comparison, { name: 'HEAD~1', isNamed: false });
  assert.deepEqual(optionsOf(['--beside', 'v1']).comparison, { name: 'v1', isNamed: true });
  assert.equal(optionsOf(['--beside', 'none']).comparison, null);
});

test('a missing commit is an error before any measurement', async () => {
  await using location = await temporaryLocation();
  const child = startBench(location, ['--only', 'get-4k', '--beside', 'no-such-commit']);
  const [[code], table, progress] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(code, 2, progress);
  assert.match(progress, /--beside names no commit of this checkout: no-such-commit/);
  assert.equal(table, '');
  assert.deepEqual(await readdir(location.directory), []);
});

test('an interrupted run ends all processes that it started', async () => {
  await using location = await temporaryLocation();
  const child = startBench(location, ['--only', 'get-4k', '--seconds', '60', '--beside', 'none']);
  const progress = text(child.stderr);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 130, await progress);
  assert.deepEqual(await readdir(location.directory), []);
});

test('the error for an unknown case names it', async () => {
  await using location = await temporaryLocation();
  const child = startBench(location, ['--only', 'get-5k']);
  const [[code], progress] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  assert.equal(code, 2);
  assert.match(progress, /no case "get-5k": the cases are put-4k, /);
});

interface TemporaryFolder extends AsyncDisposable {
  readonly directory: string;
}

/** Creates the folder of the bench's files, so that the test can see leftovers. */
async function temporaryLocation(): Promise<TemporaryFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-bench-smoke-'));
  // Run by root, the bench's web servers drop root's rights and still need access to this folder.
  await chmod(directory, 0o755);
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

function startBench({ directory }: TemporaryFolder, words: readonly string[]) {
  return spawn(process.execPath, [program, ...words], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  }) satisfies ChildProcess;
}
