// Passes messages on unchanged, so that both protocol revisions and every future method work.
import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { ApiKey } from '../config/api-key.ts';
import type { Pace } from '../output/host.ts';
import { describeFailure, failureResponse, respondWithin } from './failure-responses.ts';
import { NoResponseError, postTo, RejectedError, sendPatiently } from './post-messages.ts';
import { splitLines } from './split-lines.ts';

export interface RelayOptions {
  /** Address of the server's interface. */
  readonly apiBase: string;
  /** Null: the standard tools. */
  readonly toolset: string | null;
  readonly apiKey: ApiKey;
  /** Called when the server rejects the key, because the user may have linked again. */
  readonly readKey: () => Promise<ApiKey>;
  readonly fetch: typeof globalThis.fetch;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Logs one line per failure, without the key or any content of the user. */
  readonly log: (line: string) => void;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** Limit of a message, and of all waiting messages together. Default 192 MiB. */
  readonly messageMaxBytes?: number;
}

const usualMessageMaxBytes = 192 * 1024 * 1024;
const requestsAtOnce = 16;
const sendWithinMs = 5_000;
/** A client that starts with the machine must wait for the network. */
const startWithinMs = 20_000;
const endOfInputMs = 30_000;
const endBySignalMs = 10_000;

/** A message that waits or is being sent. */
interface Item {
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly cancelled: AbortController;
  /** Set with the response. Resolves when the response is written. */
  written: Promise<void> | null;
}

/**
 * Relays messages between a program on these streams and a server, so that every method, field and revision of the
 * protocol passes unchanged. Resolves when the input has ended and all requests have their responses.
 */
export async function relayMessages(options: RelayOptions): Promise<void> {
  const { stdin, stdout, pace, signal, log, messageMaxBytes = usualMessageMaxBytes } = options;
  const query = options.toolset === null ? '' : `?toolset=${encodeURIComponent(options.toolset)}`;
  const endpoint = new URL(`${options.apiBase}/api/mcp${query}`);
  let apiKey = options.apiKey;
  const lines = new Readable({ read() {} });
  const program = new StdioServerTransport(lines, stdout, { maxBufferSize: messageMaxBytes });
  const server = new StreamableHTTPClientTransport(endpoint, {
    fetch: postTo(endpoint, () => apiKey, options.fetch),
  });
  const queue: Item[] = [];
  const underWay = new Map<string | number, Item>();
  let running = 0;
  let waitingBytes = 0;
  let currentBytes = 0;
  let outcome: 'none' | 'message' | 'invalid' = 'none';
  let room = Promise.withResolvers<void>();

  program.onmessage = (message) => {
    outcome = 'message';
    accept(message);
  };
  program.onerror = () => {
    outcome = 'invalid';
  };
  server.onmessage = (message) => {
    const item =
      'id' in message && message.id !== undefined && !('method' in message)
        ? underWay.get(message.id)
        : undefined;
    if (item === undefined) return void program.send(message);
    adoptRevision(item.message, message);
    item.written = program.send(message);
  };
  // The sender of each message handles its failure.
  server.onerror = () => {};
  await Promise.all([program.start(), server.start()]);

  const ended = new AbortController();
  const stopped = AbortSignal.any([signal, ended.signal]);
  const reading = splitLines(stdin, messageMaxBytes, {
    line: async (line) => {
      await takeLine(line);
      // Stops reading while the waiting messages exceed the limit.
      while (waitingBytes > messageMaxBytes && !stopped.aborted) await room.promise;
    },
    tooLong: () =>
      reject(
        -32600,
        `The message is longer than ${messageMaxBytes} bytes: write a file of that size with \`stoa put\`.`,
      ),
  });
  // After a signal, the input may stay open forever.
  await Promise.race([reading, aborted(signal)]);
  await drain(signal.aborted ? endBySignalMs : endOfInputMs);
  ended.abort();
  for (const item of underWay.values()) item.cancelled.abort();
  await server.close();
  await program.close();
  stdin.destroy();

  async function takeLine(line: Buffer): Promise<void> {
    if (line.toString('latin1', 0, 1024).trim() === '' && line.toString('utf8').trim() === '') return;
    currentBytes = line.length;
    // Synchronous: the SDK reports its result for this line before the next one.
    lines.emit('data', line);
    const made = takeOutcome();
    // The SDK ignores lines that are not JSON.
    if (made === 'none') await reject(-32700, 'Parse error: each line must be one JSON-RPC message in JSON.');
    if (made === 'invalid') await reject(-32600, 'Invalid request: each line must be one JSON-RPC message.');
  }

  function takeOutcome() {
    const made = outcome;
    outcome = 'none';
    return made;
  }

  async function reject(code: number, message: string): Promise<void> {
    log(message);
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`;
    if (!stdout.write(line)) await once(stdout, 'drain');
  }

  function accept(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') {
      // The server keeps no state between requests, so ending the exchange cancels the request.
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') cancel(id);
      return;
    }
    queue.push({ message, bytes: currentBytes, cancelled: new AbortController(), written: null });
    waitingBytes += currentBytes;
    next();
  }

  function cancel(id: string | number): void {
    underWay.get(id)?.cancelled.abort();
    const location = queue.findIndex(({ message }) => isJSONRPCRequest(message) && message.id === id);
    const [item] = location === -1 ? [] : queue.splice(location, 1);
    if (item !== undefined) forget(item);
  }

  function forget({ bytes }: Item): void {
    waitingBytes -= bytes;
    room.resolve();
    room = Promise.withResolvers();
  }

  function next(): void {
    while (running < requestsAtOnce && !signal.aborted) {
      const item = queue.shift();
      if (item === undefined) return;
      running += 1;
      void pass(item).finally(() => {
        running -= 1;
        forget(item);
        next();
      });
    }
  }

  async function pass(item: Item): Promise<void> {
    const { message, cancelled } = item;
    if (!isJSONRPCRequest(message)) {
      await server.send(message, { requestSignal: cancelled.signal }).catch(() => {});
      return;
    }
    if (underWay.has(message.id)) {
      log(`${message.method}: a request with the same id is under way`);
      await program.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32600, message: 'This id is in use.' },
      });
      return;
    }
    underWay.set(message.id, item);
    try {
      await exchange(message, item);
    } catch (error) {
      if (cancelled.signal.aborted || item.written !== null) return;
      log(describeFailure(message, error));
      item.written = program.send(
        respondWithin(message, error) ?? failureResponse(message, error, endpoint.host),
      );
    } finally {
      await item.written?.catch(() => {});
      underWay.delete(message.id);
    }
  }

  async function exchange(message: JSONRPCRequest, item: Item): Promise<void> {
    const isStart = message.method === 'initialize' || message.method === 'server/discover';
    const retryBudget = {
      pace,
      signal: item.cancelled.signal,
      withinMs: isStart ? startWithinMs : sendWithinMs,
    };
    const send = async () => {
      const streamed = Promise.withResolvers<void>();
      await server.send(message, {
        requestSignal: item.cancelled.signal,
        onRequestStreamEnd: streamed.resolve,
      });
      // A single response has arrived by now. For a stream, wait for its end.
      if (item.written === null) await Promise.race([streamed.promise, responseOf(item)]);
      if (item.written === null) throw new NoResponseError('the response ended early');
    };
    try {
      await sendPatiently(send, retryBudget);
    } catch (error) {
      if (!(error instanceof RejectedError && error.status === 401)) throw error;
      const newer = await options.readKey();
      if (newer.reveal() === apiKey.reveal()) throw error;
      // Nothing was done for the rejected request, and the user has linked again since.
      apiKey = newer;
      await sendPatiently(send, retryBudget);
    }
  }

  /** Ends the wait for a streamed response when the request is cancelled or the relay stops. */
  async function responseOf({ cancelled }: Item): Promise<void> {
    await aborted(AbortSignal.any([cancelled.signal, stopped]));
  }

  function adoptRevision(request: JSONRPCMessage, response: JSONRPCMessage): void {
    if (!('method' in request) || request.method !== 'initialize' || !('result' in response)) return;
    const { protocolVersion } = response.result;
    if (typeof protocolVersion === 'string') server.setProtocolVersion(protocolVersion);
  }

  /** Waits for running requests and, unless the user ends the program, also for queued ones. */
  async function drain(withinMs: number): Promise<void> {
    const limit = new AbortController();
    const deadline = pace.sleep(withinMs, limit.signal);
    let isLate = false;
    void deadline.then(() => {
      isLate = true;
      room.resolve();
    });
    while (!isLate && (running > 0 || (queue.length > 0 && !signal.aborted)))
      await Promise.race([room.promise, deadline]);
    limit.abort();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
