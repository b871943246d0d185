import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { recordOf } from '../../../tests/support/response.ts';
import { splitLines } from '../src/mcp/split-lines.ts';
import { call, playServer, reply, startRelay } from './support/play-relay.ts';

test('a message of twenty megabytes passes in both directions', async () => {
  await using server = await playServer((message, response) => reply(response, message, message.params));
  const relay = startRelay(server.url);
  const content = 'x'.repeat(20 * 1024 * 1024);
  relay.send(call(1, 'write_file', { content }));
  const [said] = await relay.until(1);
  assert.equal(recordOf(said?.result).content, content);
  relay.close();
  await relay.ended;
});

const launcher = new URL('../bin/stoa.js', import.meta.url).pathname;
const megabytes = Number(process.env.STOA_MCP_MESSAGE_MB ?? '') || 20;
/** Memory limit: a base for the idle program plus a number of copies of each message byte. */
const idleMb = 200;
const copiesMax = 14;

test(`a message of ${megabytes} MB in both directions uses bounded memory`, async () => {
  await using server = await playServer((message, response) => reply(response, message, message.params));
  const env = { ...process.env, STOA_URL: server.url, STOA_KEY: 'stoa_canary' };
  const child = spawn(process.execPath, [launcher, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let bytes = 0;
  const responded = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.at(-1) === 10) resolve();
    });
  });
  const [before = '', after = ''] = JSON.stringify(call(1, 'write_file', { content: '|' })).split('|');
  const part = 'x'.repeat(1024 * 1024);
  child.stdin.write(before);
  for (let n = 0; n < megabytes; n += 1) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  child.stdin.write(`${after}\n`);
  await responded;
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  child.stdin.end();
  await once(child, 'close');
  assert.ok(bytes > megabytes * part.length);
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  assert.ok(peakMb < idleMb + copiesMax * megabytes, `${peakMb} MB`);
});

test('a too long line is rejected with a hint, and the next lines pass', async () => {
  await using server = await playServer((message, response) => reply(response, message));
  const relay = startRelay(server.url, { messageMaxBytes: 1000 });
  const long = JSON.stringify(call(1, 'write_file', { text: 'x'.repeat(5000) }));
  relay.send(call(2), long, call(3));
  const responses = await relay.until(3);
  relay.close();
  await relay.ended;
  const error = recordOf(responses.find(({ id }) => id === null)?.error);
  assert.equal(error.code, -32600);
  assert.match(String(error.message), /longer than 1000 bytes: write a file of that size with `stoa put`/);
  assert.deepEqual(responses.map(({ id }) => String(id)).toSorted(), ['2', '3', 'null']);
  assert.deepEqual(server.received.map(({ id }) => id).toSorted(), [2, 3]);
  assert.equal(relay.logged.length, 1);
  assert.ok(!relay.logged[0]?.includes('xxx'));
});

test('a too long line is counted across chunks and reported once', async () => {
  const lines: string[] = [];
  let rejected = 0;
  async function* chunks() {
    for (const chunk of [
      '12345',
      '67890',
      'a\nok\n',
      '1234567\n12345678\n123456789012',
      '3\nend\n',
      'no end',
    ]) {
      yield Buffer.from(chunk);
    }
  }
  await splitLines(Readable.from(chunks()), 8, {
    line: (line) => void lines.push(line.toString()),
    tooLong: () => {
      rejected += 1;
    },
  });
  assert.deepEqual(lines, ['ok\n', '1234567\n', 'end\n']);
  assert.equal(rejected, 3);
});
