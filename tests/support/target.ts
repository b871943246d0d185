import { after } from 'node:test';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { type ServiceProcess, type ServiceVariables, startService } from './service-process.ts';

/** Set by the run: the service that its files share. */
export const sharedServiceVariable = 'STOA_TEST_SHARED_URL';

/** Set by the run once the web app is built. Without it each file would read all sources to check that. */
export const appBuiltVariable = 'STOA_TEST_APP_BUILT';

/** The service trusts the address that a test sends, because some limits count per address (`freshAddress`). */
export const sharedServiceSettings: ServiceVariables = { STOA_TRUST_PROXY: 'loopback' };

/**
 * The server for a file that needs no special one. It is the one that `STOA_TEST_URL` names, or the shared one
 * of the run, or one started for the file. Other files use it at the same time, so a file makes its own people
 * and workspaces. Call it once, at the top of the file, before its first test: see
 * `tests/runner/order-in-files.test.ts`.
 */
export async function useTarget(): Promise<HttpClient> {
  const url = process.env.STOA_TEST_URL || process.env[sharedServiceVariable] || '';
  if (url === '') return (await useOwnService(sharedServiceSettings)).client;
  const client = openHttpClient(url);
  after(() => client.close());
  return client;
}

/**
 * A service with its own configuration, ended after the file's tests. With `STOA_TEST_LOG` its log is shown
 * then.
 */
export async function useOwnService(
  variables: ServiceVariables = {},
): Promise<{ readonly service: ServiceProcess; readonly client: HttpClient }> {
  const service = await startService(variables);
  const client = openHttpClient(service.url);
  after(async () => {
    await client.close();
    const wantsLog = process.env.STOA_TEST_LOG !== undefined;
    // A killed service would lose its last log lines.
    if (wantsLog) await service.end('SIGTERM');
    await service[Symbol.asyncDispose]();
    if (wantsLog) process.stderr.write(service.log());
  });
  return { service, client };
}
