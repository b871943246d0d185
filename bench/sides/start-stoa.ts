import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { jsonOf, textAt } from '../../tests/support/answer.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import type { HeaderLines } from '../load/load-job.ts';
import type { Workbench } from '../workbench.ts';
import type { Side } from './side.ts';
import { freePort, startProgram } from './start-program.ts';

const program = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** The server under measure, with its default configuration. `files` is its first workspace, reached by an API key. */
export interface StoaSide extends Side {
  readonly headers: HeaderLines;
  /** Makes an empty workspace that the key reaches; gives its routes' common start, `/api/workspaces/…`. */
  readonly createWorkspace: () => Promise<string>;
}

/** @param profileDirectory where the server's CPU profiles go when it ends; null for none. */
export async function startStoa(workbench: Workbench, profileDirectory: string | null): Promise<StoaSide> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const profile = profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const { child, pid } = await startProgram(workbench, process.execPath, [...profile, program], port, {
    STOA_PORT: String(port),
    STOA_DATA_DIR: await workbench.directory('stoa'),
    STOA_BASE_URL: url,
    STOA_SIGNUP: 'open',
    STOA_SIGNIN_LIMIT: '0',
    STOA_SEED_WORKSPACES: 'false',
    STOA_LOG_LEVEL: 'warn',
  });
  const client = openHttpClient(url);
  const person = await signUp(client);
  const key = await createKey(person);
  const createWorkspace = async () => {
    const answer = await person.session.send('POST', '/api/workspaces', { json: { name: randomUUID() } });
    return `/api/workspaces/${textAt(jsonOf(answer), 'id')}`;
  };
  const headers = [`x-api-key: ${key.secret}`];
  return {
    name: 'Stoa',
    port,
    pid,
    headers,
    files: { root: `${await createWorkspace()}/files`, headers },
    createWorkspace,
    async [Symbol.asyncDispose]() {
      await client.close();
      await workbench.end(child);
    },
  };
}
