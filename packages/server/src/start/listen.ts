import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/parse-config.ts';
import { StartError } from './start-error.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * @param isShared whether other threads of this process also listen there: the system then distributes the connections.
 * @throws StartError when the address cannot be listened on.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Address,
  isShared: boolean,
): Promise<void> {
  // Fastify passes it on to Node's `listen`, which supports this option.
  const options = { host, port, reusePort: isShared };
  try {
    await app.listen(options);
  } catch (error) {
    throw startErrorOf(error, host, port);
  }
}

/**
 * Whether several threads can listen on the address. A shared address would also admit another program that shares it,
 * so the address must be free now.
 * @throws StartError when the address cannot be listened on.
 */
export async function canShare({ host, port }: Address): Promise<boolean> {
  await probe(host, { port });
  try {
    await probe(host, { port, reusePort: true });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTSUP') return false;
    throw error;
  }
}

/** Picks a port that is free now: the public URL has to be known before other parts are built on it. */
export function pickFreePort(host: string): Promise<number> {
  return probe(host, { port: 0 });
}

/** Listens for a moment. @returns the port. */
async function probe(
  host: string,
  options: { readonly port: number; readonly reusePort?: boolean },
): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(startErrorOf(error, host, options.port)));
    server.listen({ host, ...options }, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new StartError(`${host} has no ports`);
  return address.port;
}

/** @param setting the setting that names the port. */
export function startErrorOf(
  error: unknown,
  host: string,
  port: number,
  setting: 'STOA_PORT' | 'STOA_METRICS_PORT' = 'STOA_PORT',
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use: stop the program that has it, or choose another with ${setting}`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be used by this account: choose one above 1023 with ${setting}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `${host} is not an address of this machine: set STOA_HOST, for example to 127.0.0.1`,
      );
    default:
      return error;
  }
}
