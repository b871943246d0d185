import type { HeaderLines } from '../load/load-job.ts';
import type { Workbench } from '../workbench.ts';
import type { Side } from './side.ts';
import { startStoaNodes, stoaProgram } from './start-stoa-nodes.ts';

/** The measured server, with its default configuration. `files` is its first workspace, with an API key. */
export interface StoaSide extends Side {
  readonly headers: HeaderLines;
  /** Creates an empty workspace for the key. Returns the common prefix of its routes, `/api/workspaces/…`. */
  readonly createWorkspace: () => Promise<string>;
  /** @returns the secret of a key for one workspace alone. */
  readonly createScopedKey: (workspaceId: string) => Promise<string>;
}

/** A server's program, and its name in the report. */
export interface StoaBuild {
  readonly name: string;
  readonly program: string;
}

const thisBuild: StoaBuild = { name: 'Stoa', program: stoaProgram };

/**
 * @param profileDirectory the folder for the server's CPU profiles, written when it ends; null for none.
 * @param variables special settings.
 * @param build the build to start (default: that of this checkout).
 */
export async function startStoa(
  workbench: Workbench,
  profileDirectory: string | null,
  variables: Readonly<Record<string, string>> = {},
  { name, program }: StoaBuild = thisBuild,
): Promise<StoaSide> {
  const wanted = { count: 1, program, databaseUrl: null, profileDirectory, variables };
  const nodes = await startStoaNodes(workbench, wanted);
  const { headers, createWorkspace, createScopedKey } = nodes;
  const [port] = nodes.ports;
  const [pid] = nodes.pids;
  if (port === undefined || pid === undefined) throw new Error('no node was started');
  return {
    name,
    port,
    pid,
    headers,
    files: { root: `${await createWorkspace()}/files`, headers },
    createWorkspace,
    createScopedKey,
    [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
  };
}
