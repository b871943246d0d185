import { after } from 'node:test';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { type ServiceProcess, type ServiceVariables, startService } from './service-process.ts';

/** Set by the run: the service that its files share. */
export const sharedServiceVariable = 'STOA_TEST_SHARED_URL';

/** Set by the run once the web app is built: to see that it is, each file would read all its sources. */
export const appBuiltVariable = 'STOA_TEST_APP_BUILT';

/** It believes what a test says of the address it asks from: some limits count each address (`freshAddress`). */
export const sharedServiceSettings: ServiceVariables = { STOA_TRUST_PROXY: 'loopback' };

/**
 * The server that a file talks to when any will do: the one that `STOA_TEST_URL` names, else the one that the files of
 * the run share, else one started for the file. Others are at work on it: a file makes its own people and workspaces.
 * Call it once, at the top of the file, before its first test: see `tests/runner/order-in-files.test.ts`.
 */
export async function useTarget(): Promise<HttpClient> {
  const url = process.env.STOA_TEST_URL || process.env[sharedServiceVariable] || '';
  if (url === '') return (await useOwnService(sharedServiceSettings)).client;
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
