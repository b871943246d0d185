import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A proxy in front of a server that runs an action while an upload is half sent. */
export interface MidUpload extends AsyncDisposable {
  readonly origin: string;
  /** Sends the head and some bytes of the next PUT, then runs `act`, then sends the rest. */
  duringNextUpload(act: () => Promise<void>): void;
  /** The number of uploads that were interrupted by an action. */
  readonly interrupted: () => number;
}

export async function startMidUpload(serverPort: number): Promise<MidUpload> {
  let act: (() => Promise<void>) | null = null;
  let interrupted = 0;
  const handOn = async (incoming: IncomingMessage, onward: NodeJS.WritableStream): Promise<void> => {
    const during = incoming.method === 'PUT' ? act : null;
    if (during === null) return pipeline(incoming, onward);
    act = null;
    const bytes = incoming[Symbol.asyncIterator]();
    const first = await bytes.next();
    onward.write(first.value as Buffer);
    await during();
    interrupted += 1;
    await pipeline(bytes, onward);
  };
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: serverPort, method, path: url, headers, agent: false });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    handOn(incoming, onward).catch(() => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    duringNextUpload(each) {
      act = each;
    },
    interrupted: () => interrupted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
