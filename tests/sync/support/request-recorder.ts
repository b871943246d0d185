import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a server, and writes down what is asked of it. */
export interface RequestRecorder extends AsyncDisposable {
  readonly origin: string;
  /**
   * Method and target of each request that was answered since the last call, sorted: several are under way at once. One
   * that failed is sent again, on a busy machine too, and counts when it is answered.
   */
  take(): string[];
}

const requestsMax = 10_000;

export async function startRequestRecorder(serverPort: number): Promise<RequestRecorder> {
  let recorded: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    outgoing.on('finish', () => {
      const isSentAgain = outgoing.statusCode === 429 || outgoing.statusCode >= 500;
      if (!isSentAgain && recorded.length < requestsMax) recorded.push(`${method} ${url}`);
    });
    const onward = request({ host: '127.0.0.1', port: serverPort, method, path: url, headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
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
