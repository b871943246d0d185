import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems assign themselves (Linux from 32768, others from 49152). A server that starts
 * later still finds its port free: no outgoing connection and no port 0 of another process can take it.
 */
const ports = { from: 20_000, until: 32_000 };
const triesMax = 200;

/** Reserved until this process ends, in any way. */
const reservations: Socket[] = [];

/**
 * Reserves a free port of loopback for this process: no other process that asks here gets it. Another server of
 * this process may listen on it once the first has ended.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(ports.from, ports.until);
    const reservation = await reserve(port);
    if (reservation === null) continue;
    if (await canListen(port)) {
      reservations.push(reservation);
      return port;
    }
    reservation.close();
  }
  throw new Error(`no port of ${ports.from} to ${ports.until} is free`);
}

/** The UDP port of the same number is the lock: the system gives it to one process only. */
async function reserve(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  try {
    await once(socket, 'listening');
    return socket;
  } catch {
    socket.close();
    return null;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
