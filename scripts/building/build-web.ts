// docs/decisions/0038-the-app-is-served-from-memory.md
import { createHash, randomUUID } from 'node:crypto';
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(import.meta.dirname, '../..');
const home = join(root, 'packages/web');

/** Where the server looks for the app. */
export const webBuildPlace = join(home, 'dist');
/** On the same file system: what is made here is moved to its place whole. */
const workshop = join(root, 'node_modules/.cache');

/** All that a build depends on. The libraries are those that the lock file names. */
const sources = [
  '{package-lock,tsconfig.base}.json',
  'packages/web/{index.html,package.json,tsconfig.json,vite.config.ts}',
  'packages/web/{build,src}/**/*.*',
  'packages/{core,contract,client}/{package.json,src/**/*.ts}',
  'scripts/building/build-web.ts',
];
/** Says of which sources a build is. */
const mark = '.sources';

const compressible = new Set(['.js', '.mjs', '.css', '.svg', '.json']);
/** Smaller files fit into one packet as they are. */
const compressedFromBytes = 1024;
/** The highest takes seconds for the PDF reader, and saves a few percent. */
const brotliQuality = 9;
const attempts = 3;

export type WebBuildOutcome =
  | { readonly kind: 'built'; readonly milliseconds: number }
  | { readonly kind: 'current' }
  /** Installed without development tools: the server uses what is there. */
  | { readonly kind: 'without-vite' };

/** Builds the web app into `packages/web/dist`, unless the build there is of these sources already. */
export async function buildWeb(): Promise<WebBuildOutcome> {
  if (!isViteInstalled()) return { kind: 'without-vite' };
  const startedAt = performance.now();
  const wanted = await hashOfSources();
  if ((await markOf(webBuildPlace)) === wanted) return { kind: 'current' };
  const made = join(workshop, `web-${randomUUID()}`);
  const { NODE_ENV } = process.env;
  await mkdir(workshop, { recursive: true });
  try {
    const { build } = await import('vite');
    await build({ root: home, logLevel: 'warn', build: { outDir: made, emptyOutDir: true } });
    await compressAssets(join(made, 'assets'));
    await writeFile(join(made, mark), wanted);
    await moveIntoPlace(made, wanted);
  } finally {
    // Vite sets it for the whole process, and what a runner of tests starts would take it over.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    await rm(made, { recursive: true, force: true });
  }
  return { kind: 'built', milliseconds: performance.now() - startedAt };
}

function isViteInstalled(): boolean {
  try {
    createRequire(join(home, 'package.json')).resolve('vite');
    return true;
  } catch {
    return false;
  }
}

async function hashOfSources(): Promise<string> {
  const files = (await Array.fromAsync(glob(sources, { cwd: root, withFileTypes: true })))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const all = createHash('sha256');
  for (const file of files.toSorted()) {
    all.update(`${file}\0`).update(
      createHash('sha256')
        .update(await readFile(join(root, file)))
        .digest(),
    );
  }
  return all.digest('hex');
}

async function markOf(build: string): Promise<string | null> {
  return await readFile(join(build, mark), 'utf8').catch(() => null);
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

/** Two processes may build at the same time: whichever comes second finds the place taken by the same build. */
async function moveIntoPlace(made: string, wanted: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const old = join(workshop, `web-old-${randomUUID()}`);
    await rename(webBuildPlace, old).catch(() => {});
    await rm(old, { recursive: true, force: true });
    try {
      await rename(made, webBuildPlace);
      return;
    } catch (error) {
      if ((await markOf(webBuildPlace)) === wanted) return;
      if (attempt === attempts) throw error;
    }
  }
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

if (import.meta.main) {
  const said = describeWebBuild(await buildWeb());
  if (said !== null) console.log(said);
}
