import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Workbench } from '../workbench.ts';

/** A proxy in front of a server that counts requests and bytes. */
export interface CountingProxy {
  readonly origin: string;
  readonly counted: () => { readonly requests: number; readonly bytes: number };
}

/** Counts bodies in both directions, without heads. */
export async function startCountingProxy(workbench: Workbench, serverPort: number): Promise<CountingProxy> {
  let requests = 0;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: serverPort, method, path: url, headers });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('data', count).pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.on('data', count).pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  workbench.keepResource({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, counted: () => ({ requests, bytes }) };
}
