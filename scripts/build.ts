// docs/decisions/0011-toolchain.md

/**
 * Builds the web app and the CLI, which the server delivers, and the packages for installation elsewhere. Node strips
 * no types from installed packages. These are the packages whose `publishConfig` names a directory. That directory
 * gets JavaScript, types and its own package.json. No code in this repository runs from it:
 *
 *   npm run build && npm pack ./packages/client/dist
 */
import { execFile } from 'node:child_process';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildCli, describeCliBuild } from './building/build-cli.ts';
import { buildServer, describeServerBuild } from './building/build-server.ts';
import { buildWeb, describeWebBuild } from './building/build-web.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: 'module';
  readonly exports: Readonly<Record<string, `./src/${string}.ts`>>;
  readonly publishConfig?: { readonly directory: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const installed = await findInstalled();
// From scratch, so that no output of a removed source is packed.
for (const { directory } of installed) await rm(directory, { recursive: true, force: true });
await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-b', ...installed.map(({ home }) => home)]);
for (const { home, directory, manifest } of installed) {
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(built(manifest), null, 2)}\n`);
  await copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  await copyFile(join(home, 'README.md'), join(directory, 'README.md'));
  console.log(`${manifest.name} ${manifest.version}: ${directory}`);
}

console.log(describeServerBuild(await buildServer()));
console.log(describeWebBuild(await buildWeb()));
console.log(describeCliBuild(await buildCli()));

async function findInstalled() {
  const found: { readonly home: string; readonly directory: string; readonly manifest: Manifest }[] = [];
  for await (const file of glob('packages/*/package.json', { cwd: root })) {
    const manifest: Manifest = JSON.parse(await readFile(join(root, file), 'utf8'));
    const home = join(root, dirname(file));
    const directory = manifest.publishConfig?.directory;
    if (directory !== undefined) found.push({ home, directory: join(home, directory), manifest });
  }
  return found;
}

/** Returns the manifest of the same package with exports that name the build output. */
function built({ name, version, description, license, type, exports, dependencies }: Manifest) {
  const entries = Object.entries(exports).map(([entry, source]) => {
    const file = source.replace('./src/', './').replace(/\.ts$/, '');
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }] as const;
  });
  return {
    name,
    version,
    description,
    license,
    type,
    exports: Object.fromEntries(entries),
    files: ['**/*.js', '**/*.d.ts'],
    ...(dependencies === undefined ? {} : { dependencies }),
  };
}
