import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildOnce, isInstalled, root } from './build-once.ts';

const home = join(root, 'packages/web');

/** Where the server looks for the app. */
export const webBuildPlace = join(home, 'dist');
/** All that a build depends on. The libraries are those that the lock file names. */
const sources = [
  '{package-lock,tsconfig.base}.json',
  'packages/web/{index.html,package.json,tsconfig.json,vite.config.ts}',
  'packages/web/{build,src}/**/*.*',
  'packages/{core,contract,client}/{package.json,src/**/*.ts}',
  'scripts/building/build-{once,web}.ts',
];

const compressible = new Set(['.js', '.mjs', '.css', '.svg', '.json']);
/** Smaller files fit into one packet as they are. */
const compressedFromBytes = 1024;
/** The highest takes seconds for the PDF reader, and saves a few percent. */
const brotliQuality = 9;

export type WebBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server uses what is there. */
  | { readonly kind: 'without-vite' };

/** Builds the web app into `packages/web/dist`, unless the build there is of these sources already. */
export async function buildWeb(): Promise<WebBuildOutcome> {
  if (!isInstalled('vite', home)) return { kind: 'without-vite' };
  const milliseconds = await buildOnce({ place: webBuildPlace, sources, make: makeWeb });
  return milliseconds === null ? { kind: 'current' } : { kind: 'built', milliseconds };
}

async function makeWeb(folder: string): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    const { build } = await import('vite');
    await build({ root: home, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  } finally {
    // Vite sets it for the whole process, and what a runner of tests starts would take it over.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  await compressAssets(join(folder, 'assets'));
}

async function compressAssets(folder: string): Promise<void> {
  await Promise.all((await readdir(folder)).map((name) => compress(join(folder, name))));
}

async function compress(file: string): Promise<void> {
  if (!compressible.has(extname(file))) return;
  const bytes = await readFile(file);
  if (bytes.length < compressedFromBytes) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

/** For who waits for it; null where there is nothing to say. */
export function describeWebBuild(outcome: WebBuildOutcome): string | null {
  switch (outcome.kind) {
    case 'built':
      return `Built the web app in ${(outcome.milliseconds / 1000).toFixed(1)} s: ${webBuildPlace}`;
    case 'current':
      return 'The web app is built already.';
    case 'without-vite':
      return null;
  }
}
