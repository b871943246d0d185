import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '../../bin/stoa-admin.cjs');
const run = promisify(execFile);

test('an operator command runs what was built, unless its sources are newer or nothing was built', async () => {
  const tree = await mkdtemp(join(tmpdir(), 'stoa-admin-program-'));
  const put = async (path: string, text: string, second: number) => {
    const location = join(tree, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, text);
    await utimes(location, second, second);
  };
  const age = async (path: string, second: number) => await utimes(join(tree, path), second, second);
  const response = async () =>
    (await run(process.execPath, ['packages/server/bin/stoa-admin.cjs'], { cwd: tree })).stdout;
  const folders = ['core', 'markdown', 'contract', 'server', 'server/admin'].map((name) => {
    const [first = '', ...rest] = name.split('/');
    return ['packages', first, 'src', ...rest].join('/');
  });
  try {
    await put('packages/server/package.json', '{ "type": "module" }', 10);
    await put('package-lock.json', '{}', 10);
    await put('packages/core/src/paths.ts', '', 10);
    await put('packages/markdown/src/tree.ts', '', 10);
    await put('packages/contract/src/errors.ts', '', 10);
    await put('packages/server/src/admin/main.ts', "process.stdout.write('sources');", 10);
    await cp(program, join(tree, 'packages/server/bin/stoa-admin.cjs'));
    for (const folder of folders) await age(folder, 10);
    assert.equal(await response(), 'sources', 'nothing was built');
    await put('packages/server/dist/program/admin.cjs', "process.stdout.write('built');", 20);
    assert.equal(await response(), 'built');
    for (const changed of ['packages/core/src/paths.ts', 'packages/server/src/admin', 'package-lock.json']) {
      await age(changed, 30);
      assert.equal(await response(), 'sources', changed);
      await age(changed, 10);
      assert.equal(await response(), 'built', changed);
    }
    await rm(join(tree, 'package-lock.json'));
    assert.equal(await response(), 'built', 'without a list of libraries');
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
});
