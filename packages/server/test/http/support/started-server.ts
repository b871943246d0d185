import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../../tests/support/free-port.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { createLogger } from '../../../src/logging/logger.ts';
import { type RunningServer, startServer } from '../../../src/start-server.ts';
import '../../../../../tests/support/cheap-passwords.cjs';

/** A whole server on a port of its own, with one person, one workspace and one key. */
export interface StartedServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly url: string;
  readonly port: number;
  /** Everything that was logged. */
  readonly log: string[];
  readonly cookie: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** `/api/workspaces/<id>/` and what follows. */
  at(path: string): string;
  /** Fetches a path with the key; other headers may be given. */
  call(path: string, init?: RequestInit): Promise<Response>;
}

const notBuilt = join(tmpdir(), 'stoa-not-built');
/** To hash: see `cheap-passwords.cjs`. */
export const password = 'cheap to hash canary-password-1';

/** @param places where the web app and the command line were built; by default neither was. */
export async function startedServer(
  env: Record<string, string> = {},
  locations: { readonly web?: string; readonly cli?: string } = {},
): Promise<StartedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-http-'));
  const log: string[] = [];
  const logger = createLogger('debug', { write: (line) => void log.push(line) });
  const config = parseConfig({
    STOA_PORT: String(await freePort()),
    STOA_DATA_DIR: dataDir,
    STOA_SIGNUP: 'open',
    STOA_SIGNIN_LIMIT: '0',
    STOA_SEED_WORKSPACES: 'false',
    ...env,
  });
  const onFatal = (error: unknown) => {
    throw error;
  };
  const server = await startServer(config, logger, onFatal, { web: notBuilt, cli: notBuilt, ...locations });
  const { port } = server.config;
  const url = `http://127.0.0.1:${port}`;
  const post = (path: string, cookie: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const signedUp = await post('/api/auth/sign-up/email', '', {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    password,
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const workspaceId = await idOf(await post('/api/workspaces', cookie, { name: 'Home' }));
  const made = await post('/api/keys', cookie, { name: 'Robot', actorType: 'agent' });
  const { key: apiKey } = (await made.json()) as { key: string };
  return {
    server,
    url,
    port,
    log,
    cookie,
    apiKey,
    workspaceId,
    at: (path) => `/api/workspaces/${workspaceId}/${path}`,
    call: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': apiKey, ...init.headers } }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function idOf(response: Response): Promise<string> {
  const { id } = (await response.json()) as { id: string };
  return id;
}
