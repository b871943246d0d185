import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** A proxy to the service for programs that cannot send a header of their own. */
export interface KeyInjectingProxy extends AsyncDisposable {
  readonly url: string;
  /** Sets the target and the key to add. Requests pass unchanged otherwise. Before that, the proxy has no target. */
  readonly passTo: (target: string, key: { readonly secret: string }) => void;
}

/** Listens on this machine only. The service behind it should have this address as its own. */
export async function startKeyInjectingProxy(): Promise<KeyInjectingProxy> {
  let way: { readonly target: string; readonly secret: string } | null = null;
  const server = createServer((incoming, result) => {
    if (way === null) return result.destroy();
    const headers = { ...incoming.headers, 'x-api-key': way.secret };
    const outgoing = request(new URL(incoming.url ?? '/', way.target), { method: incoming.method, headers });
    outgoing.on('response', (response) => {
      result.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(result);
    });
    outgoing.on('error', () => result.destroy());
    result.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passTo(target, { secret }) {
      way = { target, secret };
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
