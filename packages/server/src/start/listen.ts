import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/parse-config.ts';
import { StartError } from './start-error.ts';

/** @throws StartError when the address cannot be listened on. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw startErrorOf(error, host, port);
  }
}

/** Picks a port that is free now: the public URL has to be known before other parts are built on it. */
export async function pickFreePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(startErrorOf(error, host, 0)));
    server.listen({ host, port: 0 }, resolve);
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
