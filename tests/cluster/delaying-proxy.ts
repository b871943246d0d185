import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between nodes and their database. It delays messages that contain a text. */
export interface DelayingProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of delayed messages. */
  readonly held: number;
}

/** @param pauseMs the delay of the next message with `marker`, and of all later messages of its session. */
export async function startDelayingProxy(
  serverPort: number,
  marker: string,
  pauseMs: () => number,
): Promise<DelayingProxy> {
  const open = new Set<Socket>();
  let held = 0;
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    let tail = '';
    const close = () => {
      for (const socket of [client, server]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [client, server]) {
      open.add(socket);
      socket.setNoDelay();
      socket.on('error', close);
      socket.on('close', close);
    }
    client.on('data', (chunk: Buffer) => {
      const sent = chunk.toString('latin1');
      const transfers = (tail.slice(1 - marker.length) + sent).includes(marker);
      tail = sent.slice(-marker.length);
      if (!transfers) {
        server.write(chunk);
        return;
      }
      held += 1;
      client.pause();
      setTimeout(() => {
        server.write(chunk);
        client.resume();
      }, pauseMs());
    });
    server.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    get held() {
      return held;
    },
    async [Symbol.asyncDispose]() {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
