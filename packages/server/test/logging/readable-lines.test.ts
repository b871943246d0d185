import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import type { Logger } from 'pino';
import { createLogger } from '../../src/logging/logger.ts';
import { readableLines } from '../../src/logging/readable-lines.ts';

process.env.TZ = 'UTC';
const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /;
const request = { requestId: 'r-1', method: 'GET', route: '/api/me', status: 200, durationMs: 1.5 };

/** Returns the lines without their time, which is checked. */
function linesOf(level: string, log: (logger: Logger) => void): readonly string[] {
  const written: string[] = [];
  log(createLogger(level, readableLines(level, { write: (line) => void written.push(line) })));
  for (const record of written) assert.match(record, time);
  return written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(time, ''));
}

describe('a readable line', () => {
  it('has the local time, the level, the message and the fields', () => {
    const lines: string[] = [];
    const stream = readableLines('info', { write: (line) => void lines.push(line) });
    const record = { level: 'info', time: '2026-11-30T14:35:02.123Z', n: 3, what: 'two words', msg: 'swept' };
    stream.write(`${JSON.stringify(record)}\n`);
    assert.deepEqual(lines, ['2026-11-30 14:35:02 INFO  swept n=3 what="two words"\n']);
  });

  it('shows a request briefly, with its ids only if it failed or at level debug', () => {
    const ok = (logger: Logger) => logger.info(request, 'request');
    const failed = (logger: Logger) => logger.error({ ...request, status: 500 }, 'request failed');
    assert.deepEqual(linesOf('info', ok), ['INFO  request GET /api/me 200 1.5 ms']);
    assert.deepEqual(linesOf('debug', ok), ['INFO  request GET /api/me 200 1.5 ms requestId=r-1']);
    assert.deepEqual(linesOf('info', failed), ['ERROR request failed GET /api/me 500 1.5 ms requestId=r-1']);
  });

  it('leaves out routine requests that succeeded, except at level debug', () => {
    for (const route of ['/assets/*', '/api/health', '/api/device/poll']) {
      const ok = (logger: Logger) => logger.info({ ...request, route }, 'request');
      assert.deepEqual(linesOf('info', ok), ['']);
      assert.equal(linesOf('debug', ok).length, 1);
      const rejected = (logger: Logger) => logger.info({ ...request, route, status: 404 }, 'request refused');
      assert.match(linesOf('info', rejected).join(), /404/);
    }
  });

  it('shows the settings at level debug only', () => {
    const start = (logger: Logger) => logger.info({ settings: { STOA_PORT: '4700' } }, 'starting');
    assert.deepEqual(linesOf('info', start), ['INFO  starting']);
    assert.deepEqual(linesOf('debug', start), ['INFO  starting', '    STOA_PORT=4700']);
  });

  it('shows the reason of a known failure on the same line, and the stack of an unexpected one below', () => {
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const warn = (err: unknown) => (logger: Logger) => logger.warn({ err }, 'not swept');
    assert.deepEqual(linesOf('info', warn(gone)), ['WARN  not swept: connect ECONNREFUSED']);
    assert.deepEqual(linesOf('info', warn(new WorkspaceError('storage_full'))), [
      'WARN  not swept: storage_full',
    ]);
    assert.deepEqual(linesOf('info', warn(null)), ['WARN  not swept']);
    const [head, reason, frame] = linesOf('info', warn(new TypeError('x is undefined', { cause: gone })));
    assert.equal(head, 'WARN  not swept');
    assert.equal(reason, '    TypeError: x is undefined');
    assert.match(frame ?? '', /^ {8}at .*readable-lines\.test\.ts/);
    assert.ok(linesOf('debug', warn(gone)).length > 2);
    assert.ok(linesOf('info', (logger) => logger.error({ err: gone }, 'request failed')).length > 2);
  });

  it('escapes line feeds, terminal and bidi controls of other users, so that none poses as a record', () => {
    const hostile = 'a\n2026-11-30 14:35:02 INFO  \u001b[2J\u202egnp';
    const controls = ['\u001b', '\u202e'];
    const [line, ...others] = linesOf('info', (logger) => logger.info({ path: hostile }, hostile));
    assert.deepEqual(others, []);
    assert.ok(controls.every((control) => !line?.includes(control)));
    assert.match(
      line ?? '',
      /^INFO {2}a\\u\{A\}.*\\u\{1B\}\[2J\\u\{202E\}gnp path="a\\u\{A\}.*\\u\{1B\}\[2J\\u\{202E\}gnp"$/,
    );
    const stack = linesOf('info', (logger) => logger.error({ err: new Error(hostile) }, 'request failed'));
    assert.ok(stack.slice(1).every((below) => below.startsWith('    ')));
    assert.ok(controls.every((control) => !stack.join('').includes(control)));
  });

  it('contains no secret', () => {
    const lines = linesOf('debug', (logger) => {
      logger.info({ password: 'CANARY', headers: { cookie: 'CANARY' } }, 'stoa_CANARYCANARYCANARY');
      logger.error({ err: new Error('no postgres://stoa:CANARY@db.example.org/stoa') }, 'failed');
    });
    assert.doesNotMatch(lines.join(), /CANARY/);
  });
});
