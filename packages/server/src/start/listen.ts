import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from './start-error.ts';

/** @throws StartError when the address cannot be listened on. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw startErrorOf(error, host, port);
  }
}

/** A port that is free now: the public address has to be known before anything is built on it. */
export async function pickFreePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(startErrorOf(error, host, 0)));
    probe.listen(0, host, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new StartError(`${host} has no ports`);
  return address.port;
}

export function startErrorOf(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use: stop the program that has it, or choose another with STOA_PORT`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be used by this account: choose one above 1023 with STOA_PORT`,
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
