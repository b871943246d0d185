import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from './free-port.ts';
import { python } from './swift/find-swift.ts';
import {
  type SwiftLocation,
  type SwiftServer,
  serveProgram,
  storageServers,
  swiftHashSettings,
  swiftListingMax,
  swiftServers,
  swiftSettings,
} from './swift/swift-servers.ts';

// Far more than a start takes: a busy machine may delay it.
const startMsMax = 300_000;
const askAgainMs = 50;
const logName = 'servers.log';

/** Address and credentials of an object store. */
export interface ObjectStoreAddress {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A real object store that speaks S3, on loopback, in its own folder. */
export interface RunningObjectStore extends ObjectStoreAddress, AsyncDisposable {
  /** The most objects on a page of a listing. */
  readonly listingMax: number;
  createBucket(name: string): Promise<void>;
  /** Ends it and removes all its data. */
  stop(): Promise<void>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, at the same address with the same data. */
  restart(): Promise<void>;
}

/** Makes buckets as their owner. */
export function bucketsOf({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreAddress) {
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  return {
    create: async (name: string) => void (await client.send(new CreateBucketCommand({ Bucket: name }))),
    close: () => client.destroy(),
  };
}

/**
 * OpenStack Swift. Check first whether it is installed (`findSwift`).
 * @param options.partBytesMin the smallest size of a part that is not the last: 5 MiB by default, as everywhere.
 */
export async function startObjectStore(
  options: { readonly partBytesMin?: number } = {},
): Promise<RunningObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-object-store-'));
  const location: SwiftLocation = {
    folder,
    ports: await pickPorts(),
    accessKeyId: 'test:stoa',
    secretAccessKey: 'not-a-secret',
    partBytesMin: options.partBytesMin ?? 5 * 1024 * 1024,
  };
  await writeSettings(location);
  let servers: ChildProcess | null = null;
  const kill = async () => {
    if (servers !== null && isRunning(servers)) await killAndWait(servers);
    servers = null;
  };
  const restart = async () => {
    servers = await startServers(location);
    await untilReady(location, servers);
  };
  const stop = async () => {
    await kill();
    // Its servers end a moment after their parent process.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await restart();
  } catch (error) {
    await stop();
    throw error;
  }
  const { accessKeyId, secretAccessKey } = location;
  const endpoint = `http://127.0.0.1:${location.ports.proxy}`;
  const address = { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
  const buckets = bucketsOf(address);
  return {
    ...address,
    listingMax: swiftListingMax,
    createBucket: buckets.create,
    kill,
    restart,
    stop,
    async [Symbol.asyncDispose]() {
      buckets.close();
      await stop();
    },
  };
}

async function writeSettings(location: SwiftLocation): Promise<void> {
  const { folder } = location;
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true });
  await writeFile(join(folder, 'swift.conf'), swiftHashSettings);
  for (const server of swiftServers) {
    await writeFile(join(folder, `${server}-server.conf`), swiftSettings(location, server));
  }
}

async function startServers({ folder, ports }: SwiftLocation): Promise<ChildProcess> {
  const log = await open(join(folder, logName), 'a');
  const ringPorts = storageServers.map((server) => String(ports[server]));
  const servers = spawn(python, ['-c', serveProgram, folder, ...ringPorts], {
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(servers, 'spawn');
  await log.close();
  // It ends with this process, so a test that failed to stop it does not hang.
  servers.unref();
  return servers;
}

async function killAndWait(servers: ChildProcess): Promise<void> {
  servers.ref();
  const ended = once(servers, 'exit');
  servers.kill('SIGKILL');
  await ended;
}

async function untilReady(location: SwiftLocation, servers: ChildProcess): Promise<void> {
  const startedAt = performance.now();
  for (const server of swiftServers) {
    while (!(await responses(location.ports[server]))) {
      if (!isRunning(servers) || performance.now() - startedAt > startMsMax) {
        const log = await readFile(join(location.folder, logName), 'utf8');
        throw new Error(`the object store did not start: ${server}: ${log.slice(-2000)}`);
      }
      await pause(askAgainMs);
    }
  }
}

/** Any response shows that it listens. */
async function responses(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthcheck`).then(
    async (response) => {
      await response.arrayBuffer();
      return true;
    },
    () => false,
  );
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function pickPorts(): Promise<Record<SwiftServer, number>> {
  const [account, container, object, proxy] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return { account, container, object, proxy };
}
