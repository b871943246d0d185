import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReceivedSpan, readSpans } from './read-spans.ts';

/** A receiver of traces by OTLP over HTTP, as a collector is. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Bodies as they came. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly IncomingHttpHeaders[];
}

/** @param answers a status, or never. */
export async function startCollector(responses: number | 'never' = 200): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    bodies.push(body);
    headers.push(request.headers);
    if (responses === 200) spans.push(...readSpans(body));
    if (responses !== 'never')
      response.writeHead(responses, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    bodies,
    headers,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
