import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadJob, LoadResult } from './load-job.ts';
import { requestWriter } from './request-writer.ts';
import { ResponseReader } from './response-reader.ts';

/** Longer than the last responses of any run may take: a server that hangs fails the run. */
const graceMs = 60_000;
const samplesMax = 4_000_000;

/**
 * Runs one job in this process.
 * @throws when a connection breaks, a response has an unexpected status, or the last responses do not arrive.
 */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const ports = typeof job.port === 'number' ? [job.port] : job.port;
  const sockets = await Promise.all(
    Array.from({ length: job.connections }, (_, index) => open(ports[index % ports.length] ?? 0)),
  );
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      const round = startRound(job, resolve);
      const timer = setTimeout(() => reject(new Error('no response')), job.secondsMax * 1000 + graceMs);
      timer.unref();
      for (const [index, socket] of sockets.entries()) drive(job, round, socket, index, reject);
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

interface Round {
  sent: number;
  bytes: number;
  /** Resolves the run when the last connection has stopped. */
  readonly stopOne: () => void;
  readonly isOver: () => boolean;
  readonly sample: (latencyMs: number, firstByteMs: number) => void;
}

function startRound(job: LoadJob, resolve: (result: LoadResult) => void): Round {
  const startedAt = performance.now();
  const endsAt = startedAt + job.secondsMax * 1000;
  const latencies: number[] = [];
  const firstBytes: number[] = [];
  let active = job.connections;
  let lastAt = startedAt;
  const round: Round = {
    sent: 0,
    bytes: 0,
    // At least one request is sent: a short run on a busy machine may be over before it begins.
    isOver: () => round.sent >= job.requestsMax || (round.sent > 0 && performance.now() >= endsAt),
    sample(latencyMs, firstByteMs) {
      const now = performance.now();
      // Responses after the end of a timed run do not count. A counted run has no end time.
      if (now > endsAt && latencies.length > 0) return;
      lastAt = now;
      if (latencies.length < samplesMax) {
        latencies.push(latencyMs);
        firstBytes.push(firstByteMs);
      }
    },
    stopOne() {
      active -= 1;
      if (active > 0) return;
      const elapsedMs = lastAt - startedAt;
      resolve({
        requests: latencies.length,
        sent: round.sent,
        elapsedMs,
        requestsPerSecond: latencies.length / (elapsedMs / 1000),
        responseBytes: round.bytes,
        ...distributions(latencies, firstBytes),
      });
    },
  };
  return round;
}

function drive(
  job: LoadJob,
  round: Round,
  socket: Socket,
  index: number,
  fail: (reason: Error) => void,
): void {
  const write = requestWriter(job.requests, index);
  const reader = new ResponseReader();
  let sentAt = 0;
  let firstByteAt = 0;
  let stopped = false;
  const next = () => {
    if (round.isOver()) {
      stopped = true;
      round.bytes += reader.bytes;
      round.stopOne();
      return;
    }
    const number = round.sent;
    round.sent += 1;
    firstByteAt = 0;
    sentAt = performance.now();
    write(socket, number);
  };
  socket.on('data', (chunk: Buffer) => {
    if (firstByteAt === 0) firstByteAt = performance.now();
    try {
      const state = reader.read(chunk);
      if (state.kind === 'more') return;
      if (!job.expect.includes(state.status)) {
        throw new Error(`status ${state.status}: ${chunk.toString('latin1', 0, 2000)}`);
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    round.sample(performance.now() - sentAt, firstByteAt - sentAt);
    if (job.pauseMs === 0) next();
    else setTimeout(next, job.pauseMs);
  });
  socket.on('error', fail);
  socket.on('close', () => {
    if (!stopped) fail(new Error('the server closed a connection'));
  });
  next();
}

function distributions(
  latencies: readonly number[],
  firstBytes: readonly number[],
): Pick<LoadResult, 'latencyMs' | 'firstByteMs'> {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const sortedFirst = Float64Array.from(firstBytes).sort();
  return {
    latencyMs: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
    firstByteMs: sortedFirst[Math.floor(sortedFirst.length / 2)] ?? 0,
  };
}
