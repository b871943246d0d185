import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { repository } from './copy-tracked.ts';
import { startCommand } from './started-command.ts';

test('npm start serves the web app, ends its process on SIGTERM and frees the port', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-npm-start-'));
  const port = await freePort();
  const variables = { STOA_PORT: String(port), STOA_DATA_DIR: folder, STOA_LOG_LEVEL: 'warn' };
  const url = `http://127.0.0.1:${port}`;
  // The service logs this fault and continues.
  await mkdir(join(folder, 'content-index.db'));
  try {
    await using npm = await startCommand(['npm', 'start'], { cwd: repository, url, variables });
    const page = await fetch(url);
    assert.equal(page.status, 200, 'the web app was not built');
    assert.match(await page.text(), /<div id="root">/);
    const location = /packages\/server\/src\/storage\/word-index\/damaged-index\.ts:\d+/;
    // The log is written in blocks.
    await npm.untilPrinted('the content index cannot be read');
    assert.match(npm.printed(), location, 'the built program has no source locations');
    await npm.terminate();
    const next = createServer().listen(port, '127.0.0.1');
    await once(next, 'listening');
    next.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('on a terminal npm start prints readable lines, with the settings only at level debug', {
  skip: process.platform === 'linux' ? false : 'the test needs `script` of util-linux',
}, async () => {
  for (const level of ['info', 'debug']) {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-npm-start-'));
    const port = await freePort();
    const variables = { STOA_PORT: String(port), STOA_DATA_DIR: folder, STOA_LOG_LEVEL: level };
    try {
      const command = ['script', '-qefc', 'npm start', '/dev/null'];
      const url = `http://127.0.0.1:${port}`;
      await using npm = await startCommand(command, { cwd: repository, url, variables });
      await (await fetch(`${url}/api/me`)).body?.cancel();
      await npm.untilPrinted('GET /api/me 401');
      assert.match(npm.printed(), /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}starting\r$/m);
      assert.equal(/^ {4}STOA_HOST=127\.0\.0\.1\r$/m.test(npm.printed()), level === 'debug');
      assert.doesNotMatch(npm.printed(), /"level"/);
      await npm.terminate();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
});

test('programs that npm runs replace its shell, so that signals reach them', async () => {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  for (const name of ['start', 'admin', 'demo']) assert.match(scripts[name], /^exec node /, name);
});
