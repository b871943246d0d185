/**
 * Starts a service with a filled workspace as a demo.
 *
 *   npm run demo                 in ./demo-data, on port 4710.
 *   npm run demo -- elsewhere    in another directory.
 *
 * A second start on the same directory shows its current state.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StoaApiError } from '@stoa/client';
import { ConfigError, openLog, parseConfig, type RunningServer, StartError, startServer } from '@stoa/server';
import { describeDemo } from './describe.ts';
import { type Demo, fillWorkspace } from './fill-workspace.ts';

const [directory = 'demo-data', ...rest] = process.argv.slice(2);
if (rest.length > 0 || directory.startsWith('-')) {
  exitWith(2, 'Usage: npm run demo [-- DIRECTORY]\nSTOA_PORT chooses another port than 4710.');
}
const home = resolve(directory);
const data = join(home, 'data');
const record = join(home, 'demo.json');
/** Whether `data` is empty or half filled, so that the next start cannot use it. */
let isFilling = false;

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof StartError) {
    await leave(1, `The demo cannot start: ${error.message}`);
  }
  if (error instanceof StoaApiError && !isFilling) {
    await leave(1, `${home} was changed and no longer has a demo (${error.message}): delete it.`);
  }
  await leave(1, `The demo cannot be filled: ${error instanceof Error ? error.stack : String(error)}`);
}

async function main(): Promise<void> {
  const before = await readDemo();
  isFilling = before === null;
  const server = await start();
  const { baseUrl } = server.config;
  const demo = before ?? (await fillWorkspace(baseUrl, new Date()));
  if (isFilling) await keep(demo);
  isFilling = false;
  const said = before === null ? `Filled ${home}.` : `${home} holds a demo already. Its current state:`;
  process.stdout.write(
    `\n${said}\n\n${await describeDemo(baseUrl, demo)}\nCtrl-C stops it; ${home} is kept.\n`,
  );
}

/** Reads the demo of the directory; null if it must be filled first. */
async function readDemo(): Promise<Demo | null> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const found = await readdir(home);
  if (found.length === 0) return null;
  if (found.includes('demo.json')) return JSON.parse(await readFile(record, 'utf8'));
  return exitWith(
    1,
    `${home} holds something else, or an incomplete demo: delete it, or name another directory.`,
  );
}

/** Writes the record atomically: without it the directory counts as not filled. */
async function keep(demo: Demo): Promise<void> {
  await writeFile(`${record}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(`${record}.new`, record);
}

async function start(): Promise<RunningServer> {
  // Only its own directory: a database in the environment may be a real one.
  const { STOA_PORT = '4710', STOA_LOG_LEVEL = 'warn' } = process.env;
  const config = parseConfig({ STOA_PORT, STOA_LOG_LEVEL, STOA_DATA_DIR: data });
  const server = await startServer(config, openLog(config), (error) => {
    void leave(1, `The storage failed: ${String(error)}`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.stop().then(
        () => leave(0, ''),
        (error: unknown) => leave(1, `The demo did not stop cleanly: ${String(error)}`),
      );
    });
  }
  return server;
}

async function leave(code: number, text: string): Promise<never> {
  if (isFilling) await rm(data, { recursive: true, force: true });
  return exitWith(code, text);
}

function exitWith(code: number, text: string): never {
  if (text !== '') process.stderr.write(`${text}\n`);
  process.exit(code);
}
