import { freePort } from '../support/free-port.ts';
import { type HttpClient, openHttpClient } from '../support/http-client.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { type ServiceProcess, type ServiceVariables, startService } from '../support/service-process.ts';
import { type WorkspaceClient, workspaceClient } from '../support/workspace-client.ts';

const nodeCount = 3;

/** Several nodes of one service without a load balancer: the caller chooses the node. */
export interface Cluster extends AsyncDisposable {
  readonly nodes: readonly HttpClient[];
  readonly processes: readonly ServiceProcess[];
  /** For each node, the number of feed requests that wait there now. */
  readonly feedWaiting: readonly (() => Promise<number>)[];
  /** The same caller at each node. A browser knows only the public address, which is the first node's. */
  at(caller: HttpClient): readonly HttpClient[];
  /** The same workspace at each node, for that caller. */
  workspaceAt(workspace: WorkspaceClient, caller: HttpClient): readonly WorkspaceClient[];
}

/** @param variables name the shared database, and an object store if large contents are not in a shared folder. */
export async function startCluster(variables: ServiceVariables): Promise<Cluster> {
  const home = await makeServiceHome('sqlite-disk');
  const ports = await freePorts();
  const metricsPorts = await freePorts();
  const shared = { STOA_DATABASE_POOL: '8', ...variables, STOA_BASE_URL: `http://127.0.0.1:${ports[0]}` };
  const processes = await Promise.all(
    ports.map((port, node) =>
      startService({ ...shared, STOA_METRICS_PORT: String(metricsPorts[node]) }, { home, port }),
    ),
  );
  const nodes = processes.map(({ url }) => openHttpClient(url));
  const at = (caller: HttpClient) => nodes.map((node) => node.as(caller.credentials));
  return {
    nodes,
    processes,
    feedWaiting: metricsPorts.map((port) => () => readFeedWaiting(port)),
    at,
    workspaceAt: ({ id, startSeq }, caller) =>
      at(caller).map((client) => workspaceClient(client, id, startSeq)),
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.close()));
      await Promise.all(processes.map((process) => process[Symbol.asyncDispose]()));
      await home[Symbol.asyncDispose]();
    },
  };
}

async function freePorts(): Promise<readonly number[]> {
  const ports: number[] = [];
  for (let node = 0; node < nodeCount; node += 1) ports.push(await freePort());
  return ports;
}

async function readFeedWaiting(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^stoa_feed_waiting (\d+)$/m.exec(text)?.[1]);
}

/** The first of the nodes, for what is set up before a test. */
export function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}
