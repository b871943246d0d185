import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromiumVariable, findChromium } from '../../tests/support/chromium.ts';
import { programVariable, startService } from '../../tests/support/service-process.ts';
import { appBuiltVariable } from '../../tests/support/target.ts';
import { threadsVariable } from '../../tests/support/thread-of.ts';
import { buildCli } from '../building/build-cli.ts';
import {
  buildServer,
  buildTestThreads,
  serverBuildLocation,
  testThreadsLocation,
} from '../building/build-server.ts';
import { buildWeb } from '../building/build-web.ts';

const serverModules = new URL('../../packages/server/src/start-server.ts', import.meta.url).href;
/** The cache of compiled modules, which halves the start time of a service. `npm ci` empties it. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/test-modules', import.meta.url));

/** Prepares shared builds and programs once, which many of the files would otherwise make or wait for. */
export async function prepareRun(files: readonly string[]): Promise<void> {
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const isSomewhere = (what: RegExp) => sources.some((source) => what.test(source));
  // Chromium may have to be installed, which happens while the rest is built.
  const chromium = isSomewhere(/\b(?:use(?:Own)?App|findChromium)\(/) ? findChromium() : null;
  const isCacheNew = !existsSync(compileCache);
  if (isCacheNew) fillCompileCache(files);
  if (isSomewhere(/\b(?:use(?:Own)?App|buildWeb)\(/)) {
    await buildWeb();
    process.env[appBuiltVariable] = 'true';
  }
  if (files.some((file) => file.startsWith('packages/server/'))) {
    await buildTestThreads();
    process.env[threadsVariable] = testThreadsLocation;
  }
  // A service reads the package when it starts.
  if (isSomewhere(/\bbuildCli\(/)) await buildCli();
  if (
    files.some((file) => file.startsWith('tests/')) ||
    isSomewhere(/\/tests\/support\/(?:target|service-process)/)
  ) {
    await buildProgram(isCacheNew);
  }
  const found = await chromium;
  if (found?.kind === 'found') process.env[chromiumVariable] = found.path;
}

/**
 * Fills the cache, because killed processes write nothing to it. It also includes the test files: a process that meets
 * one uncompiled TypeScript file must load the compiler, which costs as much as its whole start.
 */
function fillCompileCache(files: readonly string[]): void {
  const addresses = files.map((file) => pathToFileURL(file).href);
  for (const program of [`await import(${JSON.stringify(serverModules)})`, compilingOnly(addresses)]) {
    spawnSync(process.execPath, ['--input-type=module', '-'], {
      input: program,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    });
  }
}

/** A program that compiles the modules with their imports and runs none of them, because its last import fails. */
function compilingOnly(addresses: readonly string[]): string {
  const imports = addresses.map((address) => `import ${JSON.stringify(address)};`);
  const module = [...imports, "import { nothing } from 'data:text/javascript,';"].join('\n');
  return `await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(module)}`)}).catch(() => {})`;
}

/** Builds the server, so that the services of the run start like `npm start`. */
async function buildProgram(isCacheNew: boolean): Promise<void> {
  const { kind } = await buildServer();
  process.env[programVariable] = join(serverBuildLocation, 'main.cjs');
  if (kind !== 'built' && !isCacheNew) return;
  const service = await startService({ NODE_COMPILE_CACHE: compileCache });
  await service.end('SIGTERM');
  await service[Symbol.asyncDispose]();
}
