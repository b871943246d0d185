import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildOnce, isInstalled, root } from './build-once.ts';

const home = join(root, 'packages/web');

/** The folder where the server looks for the app. */
export const webBuildLocation = join(home, 'dist');
/** All sources of a build. The lock file stands for the libraries. */
const sources = [
  '{package-lock,tsconfig.base}.json',
  'packages/web/{index.html,package.json,tsconfig.json,vite.config.ts}',
  'packages/web/{build,src}/**/*.*',
  'packages/{core,markdown,contract,client}/{package.json,src/**/*.ts}',
  'scripts/building/build-{once,web}.ts',
];

const compressible = new Set(['.js', '.mjs', '.css', '.svg', '.json']);
/** Smaller files fit into one packet as they are. */
const compressedFromBytes = 1024;
/** The highest quality takes seconds for the PDF reader, and saves a few percent. */
const brotliQuality = 9;

export type WebBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server uses an existing build. */
  | { readonly kind: 'without-vite' };

/** Builds the web app into `packages/web/dist`, unless the build there has the same sources. */
export async function buildWeb(): Promise<WebBuildOutcome> {
  if (!isInstalled('vite', home)) return { kind: 'without-vite' };
  const milliseconds = await buildOnce({ folder: webBuildLocation, sources, make: makeWeb });
  return milliseconds === null ? { kind: 'current' } : { kind: 'built', milliseconds };
}

async function makeWeb(folder: string): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    const { build } = await import('vite');
    await build({ root: home, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  } finally {
    // Vite sets it for the whole process, and child processes of a test runner would inherit it.
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

/** Returns a message about the build for the user; null without a build. */
export function describeWebBuild(outcome: WebBuildOutcome): string | null {
  switch (outcome.kind) {
    case 'built':
      return `Built the web app in ${(outcome.milliseconds / 1000).toFixed(1)} s: ${webBuildLocation}`;
    case 'current':
      return 'The web app is built already.';
    case 'without-vite':
      return null;
  }
}
