import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);
const recordLoaded = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
`;
const reportLoaded = 'console.log(JSON.stringify(urls));';
const startAndAsk = `
const [{ startServer }, { parseConfig }, { createLogger }] = [
  await import(${source('start-server.ts')}),
  await import(${source('config/parse-config.ts')}),
  await import(${source('logging/logger.ts')}),
];
const fail = (error) => { throw error; };
const server = await startServer(parseConfig(process.env), createLogger('silent'), fail);
await fetch(server.config.baseUrl + '/api/health');
await server.stop();
`;
/** Loaded on first use: the first caller waits for it. */
const loadedWhenAskedFor = ['better-auth', '@modelcontextprotocol/server', 'pg', '@aws-sdk/client-s3'];
const forTraces = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-proto',
];

/** Runs a script in a process of its own. @returns whether it loaded a library, by its name. */
async function loadedBy(
  script: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<(name: string) => boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-loaded-'));
  try {
    const file = join(folder, 'load.mjs');
    await writeFile(file, `${recordLoaded}${script}${reportLoaded}`);
    const env = { ...process.env, STOA_PORT: '0', STOA_DATA_DIR: join(folder, 'data'), ...settings };
    const options = { maxBuffer: 4 * 1024 * 1024, env };
    const { stdout } = await promisify(execFile)(process.execPath, [file], options);
    const urls: readonly string[] = JSON.parse(stdout);
    return (name) => urls.some((url) => url.includes(`/node_modules/${name}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a server starts without the libraries that are not needed yet', async () => {
  const isLoaded = await loadedBy(`await import(${source('serve.ts')});`);
  assert.ok(isLoaded('fastify') && isLoaded('kysely'));
  assert.deepEqual(loadedWhenAskedFor.filter(isLoaded), []);
});

test('a server that runs loads the libraries for traces where they are asked for', async () => {
  const settings = { STOA_TRACES_URL: 'http://127.0.0.1:9/v1/traces' };
  assert.deepEqual(forTraces.filter(await loadedBy(startAndAsk, settings)), forTraces);
});

test('a server that runs loads none of them where they are not', async () => {
  assert.deepEqual(forTraces.filter(await loadedBy(startAndAsk)), []);
});
