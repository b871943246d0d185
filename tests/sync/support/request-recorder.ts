import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy in front of a server that records its requests. */
export interface RequestRecorder extends AsyncDisposable {
  readonly origin: string;
  /** Returns method and target of each completed request since the last call, sorted: several run at once. */
  take(): string[];
}

const requestsMax = 10_000;
/** The most tries of one request at a busy server, and the pause between them. */
const triesMax = 60;
const busyPauseMs = 500;

/**
 * The proxy retries requests that a busy server rejects. The client would read the feed once more after each failed
 * response, and the recording would depend on the load.
 */
export async function startRequestRecorder(serverPort: number): Promise<RequestRecorder> {
  let recorded: string[] = [];
  const ask = async (
    incoming: IncomingMessage,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage> => {
    const { method, url, headers } = incoming;
    for (let tries = 1; ; tries += 1) {
      const options = {
        host: '127.0.0.1',
        port: serverPort,
        method,
        path: url,
        headers,
        agent: false,
        signal,
      };
      const onward = request(options).end(body);
      const [response] = (await once(onward, 'response', { signal })) as [IncomingMessage];
      const isBusy = response.statusCode === 429 || response.statusCode === 503;
      if (!isBusy || tries === triesMax) return response;
      response.resume();
      await wait(busyPauseMs, undefined, { signal });
    }
  };
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    outgoing.on('finish', () => {
      if (recorded.length < requestsMax) recorded.push(`${incoming.method} ${incoming.url}`);
    });
    (async () => {
      const response = await ask(incoming, await buffer(incoming), gone.signal);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      await pipeline(response, outgoing);
    })().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    take() {
      const taken = recorded.sort();
      recorded = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
