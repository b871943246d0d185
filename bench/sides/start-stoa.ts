import type { HeaderLines } from '../load/load-job.ts';
import type { Workbench } from '../workbench.ts';
import type { Side } from './side.ts';
import { startStoaNodes } from './start-stoa-nodes.ts';

/** The server under measure, with its default configuration. `files` is its first workspace, reached by an API key. */
export interface StoaSide extends Side {
  readonly headers: HeaderLines;
  /** Makes an empty workspace that the key reaches; gives its routes' common start, `/api/workspaces/…`. */
  readonly createWorkspace: () => Promise<string>;
  /** @returns the secret of a key for one workspace alone. */
  readonly createScopedKey: (workspaceId: string) => Promise<string>;
}

/**
 * @param profileDirectory where the server's CPU profiles go when it ends; null for none.
 * @param variables settings that are not as usual.
 */
export async function startStoa(
  workbench: Workbench,
  profileDirectory: string | null,
  variables: Readonly<Record<string, string>> = {},
): Promise<StoaSide> {
  const nodes = await startStoaNodes(workbench, { count: 1, databaseUrl: null, profileDirectory, variables });
  const { headers, createWorkspace, createScopedKey } = nodes;
  const [port] = nodes.ports;
  const [pid] = nodes.pids;
  if (port === undefined || pid === undefined) throw new Error('no node was started');
  return {
    name: 'Stoa',
    port,
    pid,
    headers,
    files: { root: `${await createWorkspace()}/files`, headers },
    createWorkspace,
    createScopedKey,
    [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
  };
}
