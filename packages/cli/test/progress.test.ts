import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Pace } from '../src/output/host.ts';
import { createOutput } from '../src/output/output.ts';
import { barText, plainText, startProgress, type WorkState } from '../src/output/progress.ts';

const half: WorkState = {
  up: 12,
  down: 3,
  bytes: 17_000_000,
  total: { up: 340, down: 80, bytes: 34_000_000 },
  path: 'docs/plan.md',
  beginning: 'Looking at both sides …',
};

function memory(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 60 }), text: () => text };
}

/** A clock whose sleeps end when the test calls `step`. */
function steppedPace() {
  const waits: { readonly ms: number; readonly go: () => void }[] = [];
  const pace: Pace = {
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        waits.push({ ms, go: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
  };
  return {
    pace,
    waits,
    async step() {
      waits.at(-1)?.go();
      await new Promise(setImmediate);
    },
  };
}

function start(options: { terminal: boolean; env?: Record<string, string>; flags?: readonly string[] }) {
  const stdout = memory(options.terminal);
  const stderr = memory(options.terminal);
  const { flags = [], env = {} } = options;
  const output = createOutput(
    { env, stdout: stdout.stream, stderr: stderr.stream },
    {
      json: flags.includes('--json'),
      quiet: flags.includes('--quiet'),
      verbose: false,
      color: true,
      progress: !flags.includes('--no-progress'),
    },
  );
  const time = steppedPace();
  return { output, stdout, stderr, time, progress: startProgress(output, time.pace, half.beginning) };
}

test('the bar shows the percentage, the files and the path within the terminal width', () => {
  assert.equal(barText(half, 79), `${'█'.repeat(10)}${'░'.repeat(10)}  50 %  ↑ 12/340 ↓ 3/80  docs/plan.md`);
  assert.equal(barText(half, 50), `${'█'.repeat(10)}${'░'.repeat(10)}  50 %  ↑ 12/340 ↓ 3/80  docs…`);
  assert.equal(barText({ ...half, total: null }, 79), 'Looking at both sides …');
  assert.equal(barText({ ...half, bytes: 99e9, path: '' }, 79), `${'█'.repeat(20)}  100 %  ↑ 12/340 ↓ 3/80`);
  assert.equal(
    barText({ ...half, path: '漢'.repeat(40) }, 60),
    `${barText({ ...half, path: '' }, 60)}  ${'漢'.repeat(7)}…`,
  );
  assert.ok(!barText({ ...half, path: 'a\u001b[2Jb' }, 79).includes('\u001b'));
  const unknown = { ...half, total: { up: 0, down: 0, bytes: null }, path: 'a' };
  assert.equal(barText(unknown, 79), '17.0 MB  a');
});

test('a progress line shows the same facts as text', () => {
  assert.equal(plainText(half), 'Sent 12 of 340, received 3 of 80, 17.0 MB of 34.0 MB: docs/plan.md');
  const unknown = { ...half, total: { up: 0, down: 0, bytes: null }, path: 'a' };
  assert.equal(plainText(unknown), '17.0 MB: a');
});

test('a terminal draws the bar at most ten times a second, below other output', async () => {
  const { output, stdout, stderr, time, progress } = start({ terminal: true });
  progress.expect({ up: 2, down: 0, bytes: 200 });
  for (let i = 0; i < 100; i += 1) progress.moved('a.md', 1);
  assert.equal(stderr.text(), '');
  await time.step();
  const bar = `${'█'.repeat(10)}${'░'.repeat(10)}  50 %  ↑ 0/2  a.md`;
  assert.equal(stderr.text(), bar);
  await time.step();
  assert.equal(stderr.text(), bar, 'the unchanged bar is drawn again');
  assert.deepEqual([...new Set(time.waits.map(({ ms }) => ms))], [100]);
  output.line('↑ a.md');
  assert.equal(stdout.text(), '↑ a.md\n');
  assert.equal(stderr.text(), `${bar}\r\u001b[K${bar}`);
  progress.end();
  assert.equal(stderr.text(), `${bar}\r\u001b[K${bar}\r\u001b[K`);
  output.note('done');
  assert.ok(stderr.text().endsWith('\u001b[Kdone\n'));
});

test('other outputs get a progress line every five seconds if anything changed', async () => {
  for (const options of [{ terminal: false }, { terminal: true, env: { CI: 'true' } }]) {
    const { stderr, time, progress } = start(options);
    await time.step();
    progress.expect({ up: 0, down: 2, bytes: 10 });
    progress.moved('a.md', 5);
    progress.done('down', 'a.md');
    await time.step();
    await time.step();
    progress.end();
    assert.equal(stderr.text(), 'Looking at both sides …\nReceived 1 of 2, 5 B of 10 B: a.md\n');
    assert.deepEqual([...new Set(time.waits.map(({ ms }) => ms))], [5000]);
  }
});

test('--quiet, --json and --no-progress show no progress', async () => {
  for (const flag of ['--quiet', '--json', '--no-progress']) {
    const { stderr, time, progress } = start({ terminal: true, flags: [flag] });
    progress.expect({ up: 1, down: 0, bytes: 10 });
    await time.step();
    progress.end();
    assert.deepEqual([stderr.text(), time.waits.length], ['', 0], flag);
  }
});
