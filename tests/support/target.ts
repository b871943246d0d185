import { after } from 'node:test';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { type ServiceProcess, type ServiceVariables, startService } from './service-process.ts';

/**
 * The server that a file of conformance tests talks to: the one that `STOA_TEST_URL` names, else one started for the
 * file. Call it once, at the top of the file.
 */
export async function useTarget(): Promise<HttpClient> {
  const url = process.env.STOA_TEST_URL ?? '';
  if (url === '') return (await useOwnService()).client;
  const client = openHttpClient(url);
  after(() => client.close());
  return client;
}

/** A service with a configuration of its own, ended after the file's tests. With `STOA_TEST_LOG` its log is shown then. */
export async function useOwnService(
  variables: ServiceVariables = {},
): Promise<{ readonly service: ServiceProcess; readonly client: HttpClient }> {
  const service = await startService(variables);
  const client = openHttpClient(service.url);
  after(async () => {
    await client.close();
    const wantsLog = process.env.STOA_TEST_LOG !== undefined;
    // Killed, the service would take its last lines with it.
    if (wantsLog) await service.end('SIGTERM');
    await service[Symbol.asyncDispose]();
    if (wantsLog) process.stderr.write(service.log());
  });
  return { service, client };
}
