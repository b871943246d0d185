import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type FoundProgram, findProgram } from './install-program.ts';

const program = '/usr/sbin/pgbouncer';
const endMsMax = 5_000;

export function findPgBouncer(): Promise<FoundProgram> {
  return findProgram({
    name: 'PgBouncer',
    check: `test -x ${program}`,
    install: 'apt-get install -y --no-install-recommends pgbouncer',
  });
}

export interface RunningPgBouncer extends AsyncDisposable {
  /** The address of the same database through the pooler. */
  readonly url: string;
}

/** A real pooler in front of one database. Check first whether it is installed (`findPgBouncer`). */
export async function startPgBouncer(
  database: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<RunningPgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(database);
  const folder = await mkdtemp(join(tmpdir(), 'stoa-pgbouncer-'));
  const listenPort = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 50
`,
  );
  // It does not run as root, and reads its settings as the user it becomes.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, settings]) await chmod(path, 0o755);
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000);
      if (log.includes('process up')) resolve();
    });
    void exited.then(() => reject(new Error(`PgBouncer did not start:\n${log}`)));
  });
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    async [Symbol.asyncDispose]() {
      const end = setTimeout(() => child.kill('SIGKILL'), endMsMax);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(end);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
