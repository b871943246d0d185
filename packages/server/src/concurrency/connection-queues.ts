import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BodyPace, bodyPace, isTooSlow } from './pace.ts';

/**
 * Limit of waiting requests of one connection. A connection with more is cut, because the client does not read its
 * responses.
 */
const waitingMax = 64;
/**
 * Waiting requests of all connections, each of a few kilobytes. Above it, a connection with more than a few is cut. A
 * paused connection does not notice that its client has left, so many requests may wait for clients that have left.
 */
const waitingOfAllMax = 4096;
const fewWaiting = 4;
/** Waiting requests that start before other events are handled. Each may take a millisecond. */
const lateAtOnce = 4;
const sweepMs = 5_000;

/**
 * Serves the requests of each connection one after another, and bounds how slowly it may read the responses. A
 * finished response must wait for earlier ones, and would keep its permits for as long. If requests ran in parallel,
 * the earlier ones could wait for these permits.
 */
export interface ConnectionQueues extends Disposable {
  /**
   * Calls `start` in the order of requests: at once, or after earlier requests of its connection. Does not call
   * it if the connection closes first. The next request starts when the response has been written.
   */
  take(request: IncomingMessage, response: ServerResponse, start: () => void): void;
}

interface Waiting {
  readonly response: ServerResponse;
  readonly start: () => void;
}

interface Connection {
  readonly socket: Socket;
  /** Called at the end of each response. */
  readonly responded: () => void;
  isServing: boolean;
  readonly waiting: Waiting[];
  /** When unsent bytes began to wait for the client, and the bytes sent until then. Null without unsent bytes. */
  blocked: { readonly since: number; readonly sentBytes: number; readonly timeoutMs: number } | null;
}

/**
 * @param beforeLate called before the start of each request that had to wait
 * @param pace of the responses. The operating system measures silence; the average is checked every few seconds.
 */
export function createConnectionQueues(
  beforeLate: () => void = () => {},
  pace: BodyPace = bodyPace,
  sweepEveryMs = sweepMs,
): ConnectionQueues {
  const connections = new Map<Socket, Connection>();
  /** Connections whose next waiting request may start. */
  const ready: Connection[] = [];
  let waitingOfAll = 0;
  const sweeping = setInterval(() => {
    for (const connection of connections.values()) cutIfSlow(connection, pace);
  }, sweepEveryMs).unref();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const responded = () => {
      if (opened.waiting.length === 0) opened.isServing = false;
      else if (ready.push(opened) === 1) setImmediate(beginReady);
    };
    const opened: Connection = { socket, responded, isServing: false, waiting: [], blocked: null };
    connections.set(socket, opened);
    socket.once('close', () => {
      connections.delete(socket);
      waitingOfAll -= opened.waiting.splice(0).length;
    });
    // `node:http` resumes a connection when its buffers have room for responses.
    socket.on('resume', () => {
      if (opened.waiting.length > 0) socket.pause();
    });
    return opened;
  }

  function begin(connection: Connection, response: ServerResponse, start: () => void): void {
    connection.isServing = true;
    // Emitted once. A listener that removes itself would cost more.
    response.on('close', connection.responded);
    start();
  }

  /** Starts a few waiting requests, then lets the process look at all other connections. */
  function beginReady(): void {
    for (const connection of ready.splice(0, lateAtOnce)) {
      const next = connection.waiting.shift();
      // The connection was closed.
      if (next === undefined) continue;
      waitingOfAll -= 1;
      begin(connection, next.response, next.start);
      if (connection.waiting.length === 0) connection.socket.resume();
    }
    if (ready.length > 0) setImmediate(beginReady);
  }

  return {
    take(request, response, start) {
      const { socket } = request;
      if (socket.destroyed) return;
      const connection = connectionOf(socket);
      if (!connection.isServing) {
        begin(connection, response, start);
        return;
      }
      const mayWait = waitingOfAll < waitingOfAllMax ? waitingMax : fewWaiting;
      if (connection.waiting.length >= mayWait) {
        socket.destroy();
        return;
      }
      // Runs in the async context of this request, not of the request whose response has just ended.
      const late = AsyncResource.bind(() => {
        beforeLate();
        start();
      });
      connection.waiting.push({ response, start: late });
      waitingOfAll += 1;
      socket.pause();
    },
    [Symbol.dispose]: () => clearInterval(sweeping),
  };
}

function cutIfSlow(connection: Connection, pace: BodyPace): void {
  const { socket, blocked } = connection;
  const unsentBytes = socket.writableLength;
  if (unsentBytes === 0) {
    if (blocked !== null) socket.setTimeout(blocked.timeoutMs);
    connection.blocked = null;
    return;
  }
  const now = performance.now();
  const sentBytes = socket.bytesWritten - unsentBytes;
  if (blocked === null) {
    connection.blocked = { since: now, sentBytes, timeoutMs: socket.timeout ?? 0 };
    // Fires if no byte moved in that time, and ends the connection.
    socket.setTimeout(pace.idleMs);
    return;
  }
  // Some unsent bytes may have been sent; the exact number is known when all of them were.
  if (isTooSlow(pace, socket.bytesWritten - blocked.sentBytes, now - blocked.since)) socket.destroy();
}
