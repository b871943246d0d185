import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'rolldown';
import { buildOnce, isInstalled, root } from './build-once.ts';

const home = join(root, 'packages/cli');

/** The folder where the server looks for the package that users install. */
export const cliBuildLocation = join(home, 'dist/download');
export const cliPackageName = 'stoa-cli.tgz';

const sources = [
  '{package-lock,tsconfig.base}.json',
  'LICENSE',
  'packages/cli/{package.json,README.md,bin/*,src/**/*.ts}',
  'packages/{core,contract,client}/{package.json,src/**/*.ts}',
  'scripts/building/build-{once,cli}.ts',
];

/** Modules that load together are in one file: a sync reads a handful instead of thirty. The first match counts. */
const groups = [
  {
    name: 'program',
    test: /commander\/|cli\/src\/(output|program|main|engine\/ports\/content)|rolldown\/runtime/,
    priority: 3,
  },
  {
    name: 'client',
    test: /packages\/(client|contract)\/|cli\/src\/(config|files)\/|core\/src\/(workspace-path|errors|limits)/,
    priority: 2,
  },
  {
    name: 'engine',
    test: /cli\/src\/(engine|local|remote|state|create-engine|commands\/sync)|core\/src/,
    priority: 1,
  },
];

const importOfNode = /^import (\w+) from '(node:\w+)';$/gm;

/**
 * Commander can start commands that are programs of their own, which ours are not. The plugin loads the modules for
 * that on first use. It also avoids a copy of `process`, which would open the standard input.
 */
const leanCommander: Plugin = {
  name: 'lean-commander',
  transform(code, id) {
    if (!/[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return null;
    const found = [...code.matchAll(importOfNode)].map(([, name]) => name);
    const expected = ['childProcess', 'fs', 'path', 'process'];
    if (found.toSorted().join() !== expected.join()) throw new Error(`commander imports ${found.join(', ')}`);
    const lean = code.replace(importOfNode, (_import, name: string, part: string) => {
      if (name === 'process') return 'const process = globalThis.process;';
      const loaded = `globalThis.process.getBuiltinModule('${part}')`;
      return name === 'childProcess'
        ? `const childProcess = { spawn: (...words) => ${loaded}.spawn(...words) };`
        : `const ${name} = ${loaded};`;
    });
    return { code: lean, map: null };
  },
};

export type CliBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server uses an existing build. */
  | { readonly kind: 'without-rolldown' };

/**
 * Builds the CLI with all its libraries into one package, unless the existing build has the same sources. Its
 * installation needs no registry.
 */
export async function buildCli(): Promise<CliBuildOutcome> {
  if (!isInstalled('rolldown', root)) return { kind: 'without-rolldown' };
  const milliseconds = await buildOnce({ folder: cliBuildLocation, sources, make: makeCli });
  return milliseconds === null ? { kind: 'current' } : { kind: 'built', milliseconds };
}

async function makeCli(folder: string): Promise<void> {
  const content = join(folder, 'package');
  await mkdir(content, { recursive: true });
  const { build } = await import('rolldown');
  const { output } = await build({
    input: { main: join(home, 'src/main.ts') },
    platform: 'node',
    logLevel: 'warn',
    plugins: [leanCommander],
    output: {
      dir: join(content, 'lib'),
      // An import of a part of Node as a module evaluates all that it exports: `node:http` alone brings the whole of
      // `fetch` that way, which is half of a start.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: { groups },
    },
  });
  const bundled = new Set(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])));
  await cp(join(home, 'bin'), join(content, 'bin'), { recursive: true });
  for (const [from, to] of [
    [join(root, 'LICENSE'), 'LICENSE'],
    [join(home, 'README.md'), 'README.md'],
  ] as const) {
    await cp(from, join(content, to));
  }
  await writeFile(join(content, 'LICENSES-OF-LIBRARIES.txt'), await licencesOf(bundled));
  const { name, version, description, license, type, bin, engines } = JSON.parse(
    await readFile(join(home, 'package.json'), 'utf8'),
  );
  const manifest = { name, version, description, license, type, bin, engines };
  await writeFile(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await promisify(execFile)('npm', ['pack', content, '--pack-destination', folder, '--ignore-scripts'], {
    cwd: folder,
    env: { ...process.env, npm_config_workspaces: 'false' },
  });
  const [packed = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  await rename(join(folder, packed), join(folder, cliPackageName));
  await rm(content, { recursive: true });
}

/** Returns the licence texts of the libraries in the bundle, which must accompany it. */
async function licencesOf(modules: ReadonlySet<string>): Promise<string> {
  const homes = new Set<string>();
  for (const id of modules) {
    const [, library] =
      new RegExp(`^(.*\\${sep}node_modules\\${sep}(?:@[^\\${sep}]+\\${sep})?[^\\${sep}]+)\\${sep}`).exec(
        id,
      ) ?? [];
    if (library !== undefined) homes.add(library);
  }
  const texts: string[] = [];
  for (const library of [...homes].toSorted()) {
    const { name, version, license } = JSON.parse(await readFile(join(library, 'package.json'), 'utf8'));
    const file = (await readdir(library)).find((each) => /^(licen[cs]e|copying)(\.|-|$)/i.test(each));
    const text = file === undefined ? '' : `\n${(await readFile(join(library, file), 'utf8')).trim()}\n`;
    texts.push(`${name} ${version} (${license})\n${text}`);
  }
  return texts.join(`\n${'-'.repeat(78)}\n\n`);
}

/** Returns a message about the build for the user; null without a build. */
export function describeCliBuild(outcome: CliBuildOutcome): string | null {
  switch (outcome.kind) {
    case 'built':
      return `Built the command line in ${(outcome.milliseconds / 1000).toFixed(1)} s: ${join(cliBuildLocation, cliPackageName)}`;
    case 'current':
      return 'The command line is built already.';
    case 'without-rolldown':
      return null;
  }
}
