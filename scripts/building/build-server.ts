// docs/decisions/0011-toolchain.md
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { buildOnce, isInstalled, removeStale, root } from './build-once.ts';

const home = join(root, 'packages/server');

/** Where the server and its operator commands are built: the programs of `packages/server/bin` look for them there. */
export const serverBuildPlace = join(home, 'dist/program');

const sources = [
  '{package-lock,tsconfig.base}.json',
  'packages/{core,contract,server}/{package.json,src/**/*.ts}',
  'scripts/building/build-{once,server}.ts',
];

/** Where the threads are built that tests of the server start with scripts of their own. */
export const testThreadsPlace = join(home, 'dist/test-threads');
const testThreads: Readonly<Record<string, string>> = {
  'test-writer': join(home, 'test/support/test-writer.ts'),
  'store-writer-thread': join(home, 'test/storage/support/store-writer-thread.ts'),
};

/** A thread is started by the address of its module. */
const threadAddress = /\bnew URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

export type ServerBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server runs from its sources, unless it was built of them already. */
  | { readonly kind: 'without-rolldown' };

/** Builds the server with all its libraries into a few files, unless what is there is of these sources already. */
export async function buildServer(): Promise<ServerBuildOutcome> {
  if (!isInstalled('rolldown', root)) {
    await removeStale({ place: serverBuildPlace, sources });
    return { kind: 'without-rolldown' };
  }
  const milliseconds = await buildOnce({ place: serverBuildPlace, sources, make: makeServer });
  return milliseconds === null ? { kind: 'current' } : { kind: 'built', milliseconds };
}

/** Builds the threads of tests, and those of the server, which they start. Development tools are there. */
export async function buildTestThreads(): Promise<void> {
  await buildOnce({
    place: testThreadsPlace,
    sources: [...sources, 'packages/server/test/**/support/*.ts', 'tests/support/*.ts'],
    make: async (folder) => bundle({ ...testThreads, ...(await findThreads()) }, folder),
  });
}

async function makeServer(folder: string): Promise<void> {
  const programs = { main: join(home, 'src/main.ts'), admin: join(home, 'src/admin/main.ts') };
  await bundle({ ...programs, ...(await findThreads()) }, folder);
}

/** Builds these programs, by name, into a folder that will stand beside `serverBuildPlace`. */
async function bundle(input: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const { build } = await import('rolldown');
  await build({
    input,
    platform: 'node',
    logLevel: 'warn',
    external: readsBesideItself,
    plugins: [addressesOfSources, nothingBeside],
    output: {
      dir: folder,
      // An import of a part of Node as a module evaluates all that it exports.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      // What goes wrong is told by the places in the sources, in each thread.
      sourcemap: 'hidden',
      banner: ({ isEntry }) => (isEntry ? "require('../../bin/told-by-sources.cjs');" : ''),
      sourcemapExcludeSources: true,
    },
  });
}

/** By name, the modules that run in threads of their own. */
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

/** A module's own folder is where its source is, and a thread is started from what was built of its module. */
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
        .replaceAll('import.meta.dirname', `(__dirname + '/${relative(serverBuildPlace, dirname(id))}')`),
      // No line moves.
      map: null,
    }),
  },
};

/** Stays where it is installed: it loads files of its own at run time. */
const readsBesideItself = ['css-tree'];

/** What a library looks for beside its module is not there once it was built. */
const nothingBeside: Plugin = {
  name: 'nothing-beside',
  transform: {
    filter: { id: /\/node_modules\//, code: 'createRequire(import.meta.url)' },
    handler(_code, id) {
      this.error(`${id} loads files of its own at run time: name its package in readsBesideItself`);
    },
  },
};

/** For who waits for it; null where there is nothing to say. */
export function describeServerBuild(outcome: ServerBuildOutcome): string | null {
  switch (outcome.kind) {
    case 'built':
      return `Built the server in ${(outcome.milliseconds / 1000).toFixed(1)} s: ${serverBuildPlace}`;
    case 'current':
      return 'The server is built already.';
    case 'without-rolldown':
      return null;
  }
}
