import { after } from 'node:test';
import { freePort } from './free-port.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { makeServiceHome, type ServiceHome } from './service-home.ts';
import { type ServiceProcess, type ServiceVariables, startService } from './service-process.ts';

/** One node of a service that has several, and the way to it past any load balancer. */
export interface ServiceNode {
  readonly client: HttpClient;
  readonly process: ServiceProcess;
  /** The number of its waiting feed requests. */
  readonly feedWaiting: () => Promise<number>;
}

/** Two nodes of one service, started at the same time on an empty home and ended after the file's tests. */
export async function useTwoNodes(
  variables: ServiceVariables = {},
): Promise<{ readonly home: ServiceHome; readonly here: ServiceNode; readonly there: ServiceNode }> {
  const home = await makeServiceHome();
  const ports = [await freePort(), await freePort()];
  // People sign in at the public address, whichever node responds.
  const shared = { ...variables, STOA_BASE_URL: `http://127.0.0.1:${ports[0]}` };
  const [here, there] = await Promise.all(ports.map((port) => startNode(home, port, shared)));
  after(async () => {
    for (const node of [here, there]) {
      await node?.client.close();
      await node?.process[Symbol.asyncDispose]();
    }
    await home[Symbol.asyncDispose]();
  });
  if (here === undefined || there === undefined) throw new Error('two nodes were asked for');
  return { home, here, there };
}

async function startNode(home: ServiceHome, port: number, shared: ServiceVariables): Promise<ServiceNode> {
  const metricsPort = await freePort();
  const process = await startService({ ...shared, STOA_METRICS_PORT: String(metricsPort) }, { home, port });
  return {
    client: openHttpClient(process.url),
    process,
    async feedWaiting() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^stoa_feed_waiting (\d+)$/m.exec(text)?.[1]);
    },
  };
}
