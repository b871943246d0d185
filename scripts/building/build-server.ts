// docs/decisions/0011-toolchain.md
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { buildOnce, isInstalled, removeStale, root } from './build-once.ts';

const home = join(root, 'packages/server');

/** The build of the server and its operator commands, where the programs of `packages/server/bin` look for them. */
export const serverBuildLocation = join(home, 'dist/program');

const sources = [
  '{package-lock,tsconfig.base}.json',
  'packages/{core,markdown,contract,server}/{package.json,src/**/*.ts}',
  'scripts/building/build-{once,server}.ts',
];

/** The build of the threads that tests of the server start with their own scripts. */
export const testThreadsLocation = join(home, 'dist/test-threads');
const testThreads: Readonly<Record<string, string>> = {
  'test-writer': join(home, 'test/support/test-writer.ts'),
  'store-writer-thread': join(home, 'test/storage/support/store-writer-thread.ts'),
};

/** The code starts a thread by the address of its module. */
const threadAddress = /\bnew URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

export type ServerBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server runs from its sources, unless a build of them exists. */
  | { readonly kind: 'without-rolldown' };

/** Builds the server with all its libraries into a few files, unless the existing build has the same sources. */
export async function buildServer(): Promise<ServerBuildOutcome> {
  if (!isInstalled('rolldown', root)) {
    await removeStale({ folder: serverBuildLocation, sources });
    return { kind: 'without-rolldown' };
  }
  const milliseconds = await buildOnce({ folder: serverBuildLocation, sources, make: makeServer });
  return milliseconds === null ? { kind: 'current' } : { kind: 'built', milliseconds };
}

/** Builds the threads of tests, and the threads of the server that they start. Requires development tools. */
export async function buildTestThreads(): Promise<void> {
  await buildOnce({
    folder: testThreadsLocation,
    sources: [...sources, 'packages/server/test/**/support/*.ts', 'tests/support/*.ts'],
    make: async (folder) => bundle({ ...testThreads, ...(await findThreads()) }, folder),
  });
}

async function makeServer(folder: string): Promise<void> {
  const programs = { main: join(home, 'src/main.ts'), admin: join(home, 'src/admin/main.ts') };
  await bundle({ ...programs, ...(await findThreads()) }, folder);
}

/** Builds these programs, by name, into a folder whose final location is next to `serverBuildLocation`. */
async function bundle(input: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const { build } = await import('rolldown');
  await build({
    input,
    platform: 'node',
    logLevel: 'warn',
    external: readsOwnFolder,
    plugins: [addressesOfSources, nothingElse],
    output: {
      dir: folder,
      // An import of a part of Node as a module evaluates all that it exports.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      // Each thread reports errors with locations in the sources.
      sourcemap: 'hidden',
      banner: ({ isEntry }) => (isEntry ? "require('../../bin/warn-by-sources.cjs');" : ''),
      sourcemapExcludeSources: true,
    },
  });
}

/** Finds the modules that run in threads of their own, by name. */
async function findThreads(): Promise<Readonly<Record<string, string>>> {
  const threads: Record<string, string> = {};
  for await (const file of glob('src/**/*.ts', { cwd: home })) {
    const text = await readFile(join(home, file), 'utf8');
    for (const [, address = ''] of text.matchAll(threadAddress)) {
      const name = basename(address);
      const entry = join(home, dirname(file), `${address}.ts`);
      if ((threads[name] ?? entry) !== entry) throw new Error(`two threads are named ${name}`);
      threads[name] = entry;
    }
  }
  return threads;
}

/** Keeps `import.meta.dirname` at the source of a module, and starts threads from the built modules. */
const addressesOfSources: Plugin = {
  name: 'addresses-of-sources',
  transform: {
    filter: { id: /\/packages\/[^/]+\/src\/.*\.ts$/, code: 'import.meta' },
    handler: (code, id) => ({
      code: code
        .replace(
          threadAddress,
          (_, address: string) => `new URL('./${basename(address)}.cjs', import.meta.url)`,
        )
        .replaceAll('import.meta.dirname', `(__dirname + '/${relative(serverBuildLocation, dirname(id))}')`),
      // No line moves.
      map: null,
    }),
  },
};

/** Packages that stay outside the bundle, because they load their own files at run time. */
const readsOwnFolder = ['css-tree'];

/** Rejects libraries that look for files next to their module, which do not exist after bundling. */
const nothingElse: Plugin = {
  name: 'nothing-beside',
  transform: {
    filter: { id: /\/node_modules\//, code: 'createRequire(import.meta.url)' },
    handler(_code, id) {
      this.error(`${id} loads files of its own at run time: name its package in readsBesideItself`);
    },
  },
};

/** Returns a message about the build for the user; null without a build. */
export function describeServerBuild(outcome: ServerBuildOutcome): string | null {
  switch (outcome.kind) {
    case 'built':
      return `Built the server in ${(outcome.milliseconds / 1000).toFixed(1)} s: ${serverBuildLocation}`;
    case 'current':
      return 'The server is built already.';
    case 'without-rolldown':
      return null;
  }
}
