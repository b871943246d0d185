import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { useTarget } from '../support/target.ts';
import { repository } from './copy-tracked.ts';

const run = promisify(execFile);
const server = await useTarget();
const built = ['core', 'contract', 'client'];

const program = `
import { createStoaClient, StoaApiError } from '@stoa/client';
import { routes } from '@stoa/contract';

const client = createStoaClient({ baseUrl: process.argv[2] ?? '', apiKey: 'none' });
const { status } = await client.health();
const { body } = await client.call(routes.listPlans, {});
const refused = await client.me().then(() => null, (error: unknown) => error);
const code: string | null = refused instanceof StoaApiError ? refused.code : null;
console.log(status satisfies 'ok', body.plans.length satisfies number, code);
`;

test('a built package installs in a fresh folder, has its types, and runs on plain Node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-installed-'));
  try {
    await run('npm', ['run', 'build'], { cwd: repository });
    // Their only dependency also comes from this checkout, so that the test needs no registry.
    const sources = [
      ...built.map((name) => `./packages/${name}/dist`),
      './node_modules/zod',
      './node_modules/yaml',
    ];
    const pack = ['pack', ...sources, '--pack-destination', folder, '--ignore-scripts'];
    await run('npm', pack, { cwd: repository });
    const tarballs = await Array.fromAsync(glob('*.tgz', { cwd: folder }));
    assert.equal(tarballs.length, sources.length);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await run('npm', ['install', '--offline', ...tarballs.map((file) => `./${file}`)], { cwd: folder });

    await writeFile(join(folder, 'program.ts'), program);
    const compiler = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const types = ['--typeRoots', join(repository, 'node_modules/@types')];
    await run(join(repository, 'node_modules/.bin/tsc'), [...compiler, ...types, 'program.ts'], {
      cwd: folder,
    });
    const { stdout } = await run(process.execPath, ['program.js', server.url], { cwd: folder });
    assert.match(stdout, /^ok \d+ invalid_api_key\n$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a built package has its build output and no TypeScript sources or other files', async () => {
  const locations = built.map((name) => `./packages/${name}/dist`);
  const { stdout } = await run('npm', ['pack', ...locations, '--dry-run', '--json'], { cwd: repository });
  const packed: readonly { readonly files: readonly { readonly path: string }[] }[] = JSON.parse(stdout);
  assert.equal(packed.length, built.length);
  for (const [at, name] of built.entries()) {
    const home = join(repository, 'packages', name);
    const sources = (await Array.fromAsync(glob('**/*.ts', { cwd: join(home, 'src') })))
      .filter((file) => !file.endsWith('.d.ts'))
      .map((file) => file.slice(0, -'.ts'.length));
    const expected = [
      'LICENSE',
      'README.md',
      'package.json',
      ...sources.flatMap((file) => [`${file}.d.ts`, `${file}.js`]),
    ];
    const found = packed[at]?.files.map(({ path }) => path) ?? [];
    assert.deepEqual(found.toSorted(), expected.toSorted(), name);
  }
});

test('every package has a tsconfig that the root and the tests refer to', async () => {
  const packages = (await Array.fromAsync(glob('packages/*/package.json', { cwd: repository })))
    .map((file) => basename(dirname(file)))
    .toSorted();
  for (const [file, prefix] of [
    ['tsconfig.json', 'packages/'],
    ['tests/tsconfig.json', '../packages/'],
  ] as const) {
    const { references }: { readonly references: readonly { readonly path: string }[] } = JSON.parse(
      await readFile(join(repository, file), 'utf8'),
    );
    const named = references.map(({ path }) => path).filter((path) => path.startsWith(prefix));
    assert.deepEqual(named.map((path) => path.slice(prefix.length)).toSorted(), packages, file);
  }
});
