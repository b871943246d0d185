import { join } from 'node:path';
import { type Config, parseConfig } from '../../packages/server/src/config/parse-config.ts';
import { createOperatorDeps, openBlobs } from '../../packages/server/src/create-deps.ts';
import { createLogger } from '../../packages/server/src/logging/logger.ts';
import {
  type CheckReport,
  checkInstallation,
} from '../../packages/server/src/service/checking/check-installation.ts';
import { startServer } from '../../packages/server/src/start-server.ts';
import { freePort } from './free-port.ts';

/** A service in this process, on an existing data directory. */
export interface ServedFolder extends AsyncDisposable {
  readonly url: string;
  /** The findings of a check that reads every byte, and the failures of the storage. */
  problems(): Promise<readonly string[]>;
}

const notBuilt = join(import.meta.dirname, 'not-built');

/** A start in this process costs a fraction of a process start, so tests can examine many states. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const fatal: string[] = [];
  const config = configOf(folder, await freePort());
  const locations = { web: notBuilt, cli: notBuilt };
  const onFatal = (error: unknown) => void fatal.push(`the storage failed: ${String(error)}`);
  const server = await startServer(config, createLogger('silent'), onFatal, locations);
  return {
    url: `http://127.0.0.1:${server.config.port}`,
    async problems() {
      const { problems } = await checkFolder(folder);
      return [...fatal, ...problems.map((problem) => JSON.stringify(problem))];
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** A check that reads every byte, with a running service or without one. */
export async function checkFolder(folder: string): Promise<CheckReport> {
  const config = configOf(folder);
  const onFatal = (error: unknown) => {
    throw error;
  };
  const listeners = { onFatal, reportProblem: () => {} };
  const { service, ...operating } = await createOperatorDeps(config, listeners);
  try {
    const deps = { store: service.store, blobs: await openBlobs(config, listeners) };
    return await checkInstallation(deps, { readBytes: true }, () => {});
  } finally {
    await operating[Symbol.asyncDispose]();
  }
}

/** @param port 0 where no server listens: a connection may take the system's choice before it is used. */
function configOf(folder: string, port = 0): Config {
  return parseConfig({
    STOA_PORT: String(port),
    STOA_DATA_DIR: folder,
    STOA_SIGNUP: 'open',
    STOA_SIGNIN_LIMIT: '0',
    STOA_SEED_WORKSPACES: 'false',
  });
}
