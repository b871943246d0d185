import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { tallyLocations } from '../../src/concurrency/thread-tally.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { StartError } from '../../src/start/start-error.ts';
import { startHttpThreads } from '../../src/threads/start-http-threads.ts';
import type { FromThread } from '../../src/threads/thread-messages.ts';

/** Code that a thread of these tests runs instead of handling requests. */
const listens = say({ kind: 'listening' });
const waits = 'port.on("message", () => {});';

function say(message: FromThread): string {
  return `port.postMessage(${JSON.stringify(message)});`;
}

async function startThreads(...bodies: readonly string[]) {
  const fatal = Promise.withResolvers<unknown>();
  const ended = Promise.withResolvers<Error>();
  const log: string[] = [];
  // Each body is for the thread with that index.
  const source = bodies.map((body, index) => `if (place === ${index}) { ${body} }`).join('\n');
  const entry = `import { parentPort as port } from 'node:worker_threads';
    import { once } from 'node:events';
    const [{ joining }] = await once(port, 'message');
    port.ref();
    const place = joining.shareViews.thread;
    ${source}`;
  const threads = startHttpThreads(
    new URL(`data:text/javascript,${encodeURIComponent(entry)}`),
    {
      config: parseConfig({}),
      logLevel: 'info',
      locations: { web: 'none', cli: 'none' },
      instanceId: 'test',
    },
    bodies.length,
    createLogger('info', { write: (line) => void log.push(line) }),
    { onFatal: fatal.resolve, onEnded: ended.resolve },
  );
  assert.deepEqual(await threads.samples(), []);
  const joining = tallyLocations(bodies.length).map((shareViews) => ({
    store: new MessageChannel().port1,
    shareViews,
  }));
  await threads.join(joining);
  return { threads, log, fatal: fatal.promise, ended: ended.promise };
}

test('a thread that cannot start says why, and the others are ended', async () => {
  const rejected = say({ kind: 'refused', message: 'Port 1 may not be used.' });
  await assert.rejects(startThreads(`${listens} ${waits}`, rejected), (error) => {
    assert.ok(error instanceof StartError);
    assert.equal(error.message, 'Port 1 may not be used.');
    return true;
  });
});

test('a thread that fails before it listens fails the start', async () => {
  await assert.rejects(startThreads('throw new Error("no worker")'), /no worker/);
  await assert.rejects(startThreads('process.exit(0)'), /an HTTP thread ended/);
});

test('a thread that ends while it should serve is reported', async () => {
  // An error can overtake a message, which comes by another port. So the thread ends once it is known to
  // listen.
  const whenReported = (end: string) => `${listens} port.on("message", () => { ${end} });`;
  const thrown = await startThreads(whenReported('throw new Error("out of memory");'));
  thrown.threads.drain();
  assert.match(String(await thrown.ended), /out of memory/);
  const left = await startThreads(whenReported('process.exit(0);'));
  left.threads.drain();
  assert.match(String(await left.ended), /ended/);
});

test('a storage failure in a thread is reported, even if the thread ends at once', async () => {
  const failing = 'port.postMessage({ kind: "fatal", error: new Error("fsync failed") }); process.exit();';
  const { fatal } = await startThreads(`${listens} setTimeout(() => { ${failing} });`);
  assert.match(String(await fatal), /fsync failed/);
});

test('a stop reports whether all requests were served, and its end is not a failure', async () => {
  const stopping = (outcome: 'answered' | 'cut off') =>
    `${listens} port.on('message', ({ kind }) => { if (kind === 'stop') ${say({ kind: 'stopped', outcome })} });`;
  assert.equal(
    await (await startThreads(stopping('answered'), stopping('answered'))).threads.stop(),
    'answered',
  );
  const cut = await startThreads(stopping('answered'), stopping('cut off'));
  assert.equal(await cut.threads.stop(), 'cut off');
  cut.threads.drain();
  assert.equal(
    await Promise.race([cut.ended, new Promise((resolve) => setImmediate(resolve, 'none'))]),
    'none',
  );
});

test('lines of a thread are written as they are', async () => {
  const block = '{"level":"info","msg":"one"}\n{"level":"info","msg":"two"}\n';
  const { threads, log } = await startThreads(
    `${say({ kind: 'log', block })} ${listens} port.on('message', () => { ${say({ kind: 'stopped', outcome: 'answered' })} });`,
  );
  assert.equal(log.join(''), block);
  await threads.stop();
});

test('the samples of each thread are requested from each, once at a time', async () => {
  const counting = `${listens} let asked = 0; port.on('message', ({ kind }) => {
    if (kind === 'measure') setTimeout(() => port.postMessage({ kind: 'measured', samples: [{ asked: (asked += 1) }] }), 20);
    else ${say({ kind: 'stopped', outcome: 'answered' })}
  });`;
  const { threads } = await startThreads(counting, counting);
  const [one, same] = await Promise.all([threads.samples(), threads.samples()]);
  assert.deepEqual([one, same], Array(2).fill([[{ asked: 1 }], [{ asked: 1 }]]));
  assert.deepEqual(await threads.samples(), [[{ asked: 2 }], [{ asked: 2 }]]);
  await threads.stop();
});
