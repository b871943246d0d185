// docs/speed.md
import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Deps, type Joining, joinDeps } from '../create-deps.ts';
import { gatherLines } from '../logging/gather-lines.ts';
import { createLogger } from '../logging/logger.ts';
import { createObservers } from '../observers.ts';
import { type HttpSide, serveHttp } from '../serve-http.ts';
import { StartError } from '../start/start-error.ts';
import type { FromThread, HttpThreadStart, ToThread } from './thread-messages.ts';

/**
 * The body of a further HTTP thread. It loads its modules and waits until there is a store to join. It works like a
 * separate node, except that the first thread gives it the settings and the port to the writer, writes its log,
 * collects its metrics and stops it.
 */
export async function runHttpThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('an HTTP thread runs in a worker');
  const { config, logLevel, locations, instanceId }: HttpThreadStart = workerData;
  const say = (message: FromThread) => port.postMessage(message);
  const lines = gatherLines((block) => say({ kind: 'log', block }));
  const logger = createLogger(logLevel, lines);
  const onFatal = (error: unknown) => {
    lines.flush();
    say({ kind: 'fatal', error: error instanceof Error ? error : new Error(String(error)) });
    // This thread must not respond to any more requests either.
    process.exit();
  };
  const reportProblem = (message: string, cause: unknown) => logger.warn({ err: cause }, message);
  const { metrics, traces, stores } = await createObservers(config, {
    isFirst: false,
    instanceId,
    reportProblem,
  });
  const joining = await joiningOf(port);
  let deps: Deps;
  let http: HttpSide;
  try {
    const listeners = { onFatal, reportProblem, stores, searches: traces?.searches ?? null };
    deps = await joinDeps(config, listeners, joining);
    http = await serveHttp(config, deps, { logger, metrics, traces, locations, isShared: true });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say({ kind: 'refused', message: error.message });
    return;
  }
  port.on('message', async ({ kind }: ToThread) => {
    switch (kind) {
      case 'drain':
        http.drain();
        return;
      case 'measure':
        say({ kind: 'measured', samples: (await metrics?.samples()) ?? [] });
        return;
      case 'stop': {
        const outcome = await http.stop();
        await traces?.stop();
        await deps[Symbol.asyncDispose]();
        lines.flush();
        say({ kind: 'stopped', outcome });
        return;
      }
    }
  });
  say({ kind: 'listening' });
}

/** Waits for the first message, which comes once the first thread has opened the store. */
async function joiningOf(port: MessagePort): Promise<Joining> {
  const [message]: ToThread[] = await once(port, 'message');
  if (message?.kind !== 'join') throw new Error('an HTTP thread has to join first');
  // For a moment there is no listener, which would let the thread end.
  port.ref();
  return message.joining;
}
