import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tests/support/free-port.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import { jsonOf, textAt } from '../../tests/support/response.ts';
import type { HeaderLines } from '../load/load-job.ts';
import type { Workbench } from '../workbench.ts';
import { type StartedProgram, startProgram } from './start-program.ts';

export const stoaProgram = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** One server, or several nodes on the same database, and a user with a key. */
export interface StoaNodes extends AsyncDisposable {
  /** One port per node. */
  readonly ports: readonly number[];
  readonly pids: readonly number[];
  readonly headers: HeaderLines;
  /** Creates an empty workspace for the key. Returns the common prefix of its routes, `/api/workspaces/…`. */
  readonly createWorkspace: () => Promise<string>;
  /** @returns the secret of a key for one workspace alone. */
  readonly createScopedKey: (workspaceId: string) => Promise<string>;
}

export interface NodesWanted {
  readonly count: number;
  /** The server's program (default: that of this checkout). */
  readonly program?: string;
  /** Null for SQLite, which takes one node only. */
  readonly databaseUrl: string | null;
  /** The folder for the servers' CPU profiles, written when they end; null for none. */
  readonly profileDirectory: string | null;
  /** Special settings of the servers. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Starts the nodes with one data directory, the default configuration and the special settings. */
export async function startStoaNodes(workbench: Workbench, wanted: NodesWanted): Promise<StoaNodes> {
  const { count, program = stoaProgram, databaseUrl, profileDirectory, variables = {} } = wanted;
  const profile = profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const dataDirectory = await workbench.directory('stoa');
  const ports: number[] = [];
  const started: StartedProgram[] = [];
  for (let node = 0; node < count; node += 1) {
    const port = await freePort();
    ports.push(port);
    started.push(
      await startProgram(workbench, process.execPath, [...profile, program], port, {
        ...(databaseUrl !== null && { STOA_DATABASE_URL: databaseUrl }),
        STOA_PORT: String(port),
        STOA_DATA_DIR: dataDirectory,
        STOA_BASE_URL: `http://127.0.0.1:${ports[0]}`,
        STOA_SIGNUP: 'open',
        STOA_SIGNIN_LIMIT: '0',
        STOA_SEED_WORKSPACES: 'false',
        STOA_LOG_LEVEL: 'warn',
        ...variables,
      }),
    );
  }
  const client = openHttpClient(`http://127.0.0.1:${ports[0]}`);
  const person = await signUp(client);
  const key = await createKey(person);
  return {
    ports,
    pids: started.map(({ pid }) => pid),
    headers: [`x-api-key: ${key.secret}`],
    async createWorkspace() {
      const response = await person.session.send('POST', '/api/workspaces', { json: { name: randomUUID() } });
      return `/api/workspaces/${textAt(jsonOf(response), 'id')}`;
    },
    createScopedKey: async (workspaceId) => (await createKey(person, { workspaceId })).secret,
    async [Symbol.asyncDispose]() {
      await client.close();
      await Promise.all(started.map(({ child }) => workbench.end(child)));
    },
  };
}
