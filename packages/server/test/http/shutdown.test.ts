import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../../../tests/support/free-port.ts';
import { programEnvironment } from '../../../../tests/support/program-environment.ts';
import { rawConnection } from './support/raw-connection.ts';
import { startedServer } from './support/started-server.ts';

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stoa-main-'));
});
after(async () => {
  for (const started of startedProcesses) started.kill('SIGKILL');
  await rm(dataDir, { recursive: true });
});

/** Processes of failed tests, stopped at the end. */
const startedProcesses: ChildProcess[] = [];

interface Started {
  readonly process: ChildProcess;
  readonly said: () => string;
  readonly exited: Promise<number | null>;
}

function startMain(env: Record<string, string>): Started {
  const started = spawn(process.execPath, [mainFile], {
    env: {
      ...programEnvironment,
      NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
      STOA_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  startedProcesses.push(started);
  let said = '';
  started.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  // `close` comes later than `exit`, after the last output.
  const exited = once(started, 'close').then(([code]) => code);
  return { process: started, said: () => said, exited };
}

async function untilSaid({ process: started, said, exited }: Started, pattern: RegExp): Promise<void> {
  while (!pattern.test(said())) {
    const next = started.stderr === null ? exited : once(started.stderr, 'data');
    await Promise.race([next, exited]);
    assert.equal(started.exitCode, null, said());
  }
}

describe('stopping', () => {
  it('serves accepted requests, and releases waiting feed requests at once', async () => {
    await using stoa = await startedServer();
    const upload = rawConnection(stoa.port);
    upload.send(
      `PUT ${stoa.at('files/late.md')} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\n`,
    );
    upload.send('content-length: 10\r\nexpect: 100-continue\r\n\r\n');
    await upload.received(/100 Continue/);
    upload.send('hello');
    const held = stoa.call(stoa.at('changes?sinceSeq=0&wait=30'));
    while (stoa.server.feedWaiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = stoa[Symbol.asyncDispose]();
    const page = (await (await held).json()) as { changes: unknown[] };
    assert.deepEqual(page.changes, []);
    upload.send('world');
    const response = await upload.closed();
    assert.match(response, /HTTP\/1\.1 201 [\s\S]*connection: close/i);
    await stopped;
    await assert.rejects(fetch(stoa.url));
  });

  it('drains first: health is 503, and new connections still get all other responses', async () => {
    const stoa = await startedServer({ STOA_DRAIN_SECONDS: '8' });
    assert.equal((await fetch(`${stoa.url}/api/health`)).status, 200);
    const stopped = stoa[Symbol.asyncDispose]();
    assert.equal((await fetch(`${stoa.url}/api/health`)).status, 503);
    const other = rawConnection(stoa.port);
    other.send(
      `GET ${stoa.at('changes?sinceSeq=0')} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${stoa.apiKey}\r\n\r\n`,
    );
    await other.received(/HTTP\/1\.1 200/);
    await stopped;
    await assert.rejects(fetch(stoa.url));
  });

  it('SIGTERM ends the process with 0, and the data is there at the next start', async () => {
    const port = String(await freePort());
    const first = startMain({ STOA_PORT: port });
    await untilSaid(first, /Stoa is at/);
    assert.match(first.said(), /open http:\/\/127\.0\.0\.1:\d+\/ in a browser/);
    assert.match(first.said(), /npm run admin -- user create/);
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.org', password: 'long enough' });
    const headers = { 'content-type': 'application/json' };
    const address = `http://127.0.0.1:${port}/api/auth/sign-up/email`;
    assert.equal((await fetch(address, { method: 'POST', headers, body })).status, 200);
    first.process.kill('SIGTERM');
    assert.equal(await first.exited, 0, first.said());

    const second = startMain({ STOA_PORT: port });
    await untilSaid(second, /Stoa is at/);
    assert.doesNotMatch(second.said(), /no account yet/);
    second.process.kill('SIGINT');
    assert.equal(await second.exited, 0, second.said());
  });
});

describe('a start that cannot work', () => {
  it('says that the port is in use, and what to set', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const started = startMain({ STOA_PORT: String(port) });
    assert.equal(await started.exited, 1);
    assert.match(started.said(), new RegExp(`Port ${port} on 127.0.0.1 is in use.*STOA_PORT`));
    other.close();
  });

  it('says that the data directory cannot be written', async () => {
    const started = startMain({ STOA_PORT: '0', STOA_DATA_DIR: '/dev/null/stoa' });
    assert.equal(await started.exited, 1);
    assert.match(started.said(), /data directory \/dev\/null\/stoa is not writable.*STOA_DATA_DIR/);
  });

  it('says that the database cannot be reached, without its password', async () => {
    const port = await freePort();
    const started = startMain({
      STOA_PORT: '0',
      STOA_DATABASE_URL: `postgres://stoa:CANARY@127.0.0.1:${port}/stoa`,
    });
    assert.equal(await started.exited, 1);
    assert.match(started.said(), /^The database .*\n$/);
    assert.doesNotMatch(started.said(), /CANARY|\n\s+at /);
  });

  it('shows the settings that there are', async () => {
    const help = promisify(execFile)(process.execPath, [mainFile, '--help'], {
      env: { PATH: process.env.PATH },
    });
    assert.match((await help).stdout, /STOA_DATABASE_URL=postgres:\/\/[\s\S]*STOA_BLOB_URL=s3:\/\//);
  });

  it('names a wrong setting', async () => {
    const started = startMain({ STOA_PORT: 'many', STOA_SIGN_UP: 'open' });
    assert.equal(await started.exited, 2);
    assert.match(started.said(), /STOA_PORT must be a whole number/);
    assert.match(started.said(), /STOA_SIGN_UP is not a setting/);
  });
});
