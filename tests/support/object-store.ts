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
  type SwiftPlace,
  type SwiftServer,
  serveProgram,
  storageServers,
  swiftHashSettings,
  swiftListingMax,
  swiftServers,
  swiftSettings,
} from './swift/swift-servers.ts';

// Far more than it takes: on a busy machine it waits for its turn.
const startMsMax = 300_000;
const askAgainMs = 50;
const logName = 'servers.log';

/** How an object store is reached. */
export interface ObjectStoreAddress {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A real object store that speaks S3, on loopback, in a folder of its own. */
export interface RunningObjectStore extends ObjectStoreAddress, AsyncDisposable {
  /** How many objects a page of a listing has at most. */
  readonly listingMax: number;
  createBucket(name: string): Promise<void>;
  /** Ends it and removes all that it held. */
  stop(): Promise<void>;
  /** Ends it as a power cut would, without a word. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, where it was and with what it held. */
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
 * OpenStack Swift. Look first whether there is one (`findSwift`).
 * @param options.partBytesMin how small a part may be that is not the last: 5 MiB, as everywhere, unless told otherwise.
 */
export async function startObjectStore(
  options: { readonly partBytesMin?: number } = {},
): Promise<RunningObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-object-store-'));
  const place: SwiftPlace = {
    folder,
    ports: await pickPorts(),
    accessKeyId: 'test:stoa',
    secretAccessKey: 'not-a-secret',
    partBytesMin: options.partBytesMin ?? 5 * 1024 * 1024,
  };
  await writeSettings(place);
  let servers: ChildProcess | null = null;
  const kill = async () => {
    if (servers !== null && isRunning(servers)) await killAndWait(servers);
    servers = null;
  };
  const restart = async () => {
    servers = await startServers(place);
    await untilReady(place, servers);
  };
  const stop = async () => {
    await kill();
    // The servers of it end a moment later than the process that holds them.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await restart();
  } catch (error) {
    await stop();
    throw error;
  }
  const { accessKeyId, secretAccessKey } = place;
  const endpoint = `http://127.0.0.1:${place.ports.proxy}`;
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

async function writeSettings(place: SwiftPlace): Promise<void> {
  const { folder } = place;
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true });
  await writeFile(join(folder, 'swift.conf'), swiftHashSettings);
  for (const server of swiftServers) {
    await writeFile(join(folder, `${server}-server.conf`), swiftSettings(place, server));
  }
}

async function startServers({ folder, ports }: SwiftPlace): Promise<ChildProcess> {
  const log = await open(join(folder, logName), 'a');
  const ringPorts = storageServers.map((server) => String(ports[server]));
  const servers = spawn(python, ['-c', serveProgram, folder, ...ringPorts], {
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(servers, 'spawn');
  await log.close();
  // It ends with this process: a test that failed to stop it does not hang.
  servers.unref();
  return servers;
}

async function killAndWait(servers: ChildProcess): Promise<void> {
  servers.ref();
  const ended = once(servers, 'exit');
  servers.kill('SIGKILL');
  await ended;
}

async function untilReady(place: SwiftPlace, servers: ChildProcess): Promise<void> {
  const startedAt = performance.now();
  for (const server of swiftServers) {
    while (!(await answers(place.ports[server]))) {
      if (!isRunning(servers) || performance.now() - startedAt > startMsMax) {
        const log = await readFile(join(place.folder, logName), 'utf8');
        throw new Error(`the object store did not start: ${server}: ${log.slice(-2000)}`);
      }
      await pause(askAgainMs);
    }
  }
}

/** Any answer will do: it listens. */
async function answers(port: number): Promise<boolean> {
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
