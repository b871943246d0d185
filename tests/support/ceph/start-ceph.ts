import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { bucketsOf, type RunningObjectStore } from '../object-store.ts';

const run = promisify(execFile);
const stepMsMax = 60_000;
const askAgainMs = 50;
const accessKeyId = 'stoa';
const secretAccessKey = 'not-a-secret';

/**
 * Ceph's gateway with one monitor and one object server that stores data in memory, all on loopback and in their
 * own folder. `kill` and `restart` affect the gateway only: its data stay. Check first whether Ceph is installed
 * (`findCeph`).
 */
export async function startCeph(): Promise<RunningObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-ceph-'));
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const cluster = randomUUID();
  const settings = join(folder, 'ceph.conf');
  const servers: ChildProcess[] = [];
  /** Ends with this process in any case, so a test that failed to stop it does not hang. */
  const startServer = async (program: string, args: readonly string[]): Promise<ChildProcess> => {
    const log = await open(join(folder, `${program}.out`), 'a');
    const command = ['--pdeathsig', 'KILL', program, '-c', settings, ...args, '-f'];
    const server = spawn('setpriv', command, { stdio: ['ignore', log.fd, log.fd] });
    await once(server, 'spawn');
    await log.close();
    server.unref();
    servers.push(server);
    return server;
  };
  const ask = (program: string, ...args: string[]) =>
    run(program, ['-c', settings, ...args], { timeout: stepMsMax });
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  let gateway: ChildProcess | null = null;
  const restart = async () => {
    gateway = await startServer('radosgw', ['-n', 'client.admin']);
    await untilResponding(endpoint, gateway, join(folder, 'client.admin.log'));
  };
  const stop = async () => {
    for (const server of servers.splice(0)) await kill(server);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await writeFile(settings, settingsOf({ folder, cluster, gatewayPort }));
    const key = (await run('ceph-authtool', ['--gen-print-key'])).stdout.trim();
    for (const name of ['monitor', 'objects']) await mkdir(join(folder, name));
    const monitorKeys = join(folder, 'monitor.keyring');
    await writeFile(monitorKeys, `[mon.]\nkey = ${key}\ncaps mon = "allow *"\n${adminKey(key)}`);
    await writeFile(join(folder, 'keyring'), `${adminKey(key)}[osd.0]\nkey = ${key}\n`);

    const map = join(folder, 'monitors');
    const address = `[v2:127.0.0.1:${monitorPort}/0]`;
    await run('monmaptool', ['--create', '--fsid', cluster, '--addv', 'a', address, map]);
    await ask('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', monitorKeys);
    await writeFile(settings, `mon host = ${address}\n`, { flag: 'a' });
    await startServer('ceph-mon', ['-i', 'a']);

    const objects = randomUUID();
    const objectsKey = join(folder, 'objects.json');
    await writeFile(objectsKey, JSON.stringify({ cephx_secret: key }));
    await ask('ceph', 'osd', 'new', objects, '-i', objectsKey);
    await ask('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', objects);
    await startServer('ceph-osd', ['-i', '0']);
    await restart();
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey];
    await ask('radosgw-admin', 'user', 'create', '--uid', 'stoa', '--display-name', 'stoa', ...keys);
  } catch (error) {
    await stop();
    throw error;
  }
  const access = { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
  const buckets = bucketsOf(access);
  return {
    ...access,
    listingMax: 1000,
    createBucket: buckets.create,
    async kill() {
      if (gateway !== null) await kill(gateway);
    },
    restart,
    stop,
    async [Symbol.asyncDispose]() {
      buckets.close();
      await stop();
    },
  };
}

/** Has no monitor address, because the monitor map contains it. Every setting here is for tests only. */
function settingsOf(location: {
  readonly folder: string;
  readonly cluster: string;
  readonly gatewayPort: number;
}): string {
  const { folder, cluster, gatewayPort } = location;
  return `[global]
fsid = ${cluster}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = ${folder}/keyring
run dir = ${folder}
admin socket =
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
mon data = ${folder}/monitor
mon data avail crit = 1
mon allow pool size one = true
paxos propose interval = 0.02
paxos min wait = 0.01
osd data = ${folder}/objects
osd objectstore = memstore
memstore device bytes = 4294967296
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
rgw rados pool pg num min = 1
rgw data = ${folder}
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`;
}

function adminKey(key: string): string {
  return `[client.admin]\nkey = ${key}\ncaps mon = "allow *"\ncaps osd = "allow *"\ncaps mgr = "allow *"\n`;
}

async function untilResponding(endpoint: string, gateway: ChildProcess, log: string): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const isThere = await fetch(endpoint).then(
      async (response) => (await response.arrayBuffer()) !== null,
      () => false,
    );
    if (isThere) return;
    if (!isRunning(gateway) || performance.now() - startedAt > stepMsMax) {
      const said = await readFile(log, 'utf8').catch(() => 'it wrote no log');
      throw new Error(`Ceph's gateway did not start: ${said.slice(-2000)}`);
    }
    await pause(askAgainMs);
  }
}

async function kill(server: ChildProcess): Promise<void> {
  if (!isRunning(server)) return;
  server.ref();
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
