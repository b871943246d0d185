import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** A way to the service for programs that cannot send a header of their own. */
export interface KeyInjectingProxy extends AsyncDisposable {
  readonly url: string;
}

/** Passes everything on as it comes, the key added. It listens on this machine alone. */
export async function startKeyInjectingProxy(
  target: string,
  key: { readonly secret: string },
): Promise<KeyInjectingProxy> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, 'x-api-key': key.secret };
    const outgoing = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
