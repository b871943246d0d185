import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Config } from '../../src/config/parse-config.ts';

const source = JSON.stringify(new URL('../../src/logging/open-log.ts', import.meta.url).href);

/** Runs a process that logs one line to a pipe and exits at once. */
async function logged(logFormat: Config['logFormat'], level: 'info' | 'fatal'): Promise<string> {
  const settings = JSON.stringify({ logLevel: 'info', logFormat });
  const script = `import(${source}).then(({ openLog }) => {
    openLog(${settings}).${level}('draining');
    process.exit();
  });`;
  return (await promisify(execFile)(process.execPath, ['-e', script])).stdout;
}

test('a log to a pipe is JSON lines, unless text is chosen, and the last line is written before an exit', async () => {
  assert.equal(JSON.parse(await logged(null, 'info')).msg, 'draining');
  assert.equal(JSON.parse(await logged('json', 'fatal')).level, 'fatal');
  assert.match(await logged('text', 'info'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}draining\n$/);
  assert.match(await logged('text', 'fatal'), / FATAL draining\n$/);
});
