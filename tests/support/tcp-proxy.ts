import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The time to cut a connection, relative to a message of the client. */
export type Cut =
  /** The message never reaches the server. */
  | 'before it is delivered'
  /** The server has the message. Its client is gone at once, so the response is lost. */
  | 'once it is delivered'
  /** The server has responded, and the response is dropped. */
  | 'when it is answered';

/** A proxy between clients and a server that cuts connections on request. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts at every `every`th message with `marker`, `times` times. @returns a counter of the cuts so far. */
  cutAt(marker: string, cut: Cut, when: { readonly every: number; readonly times: number }): () => number;
  /**
   * Forwards this number of further bytes in one direction, over all connections, and cuts the connection of the
   * next byte.
   * @returns whether that has happened.
   */
  cutAfter(bytes: number, way: Way): () => boolean;
  /** Cuts every open connection, and forgets the pending byte limits. */
  cutAll(): void;
  /**
   * Pauses all traffic in both directions without a cut. Accepts connections. @returns a function that resumes
   * it.
   */
  hold(): () => void;
  /** Delays all later bytes by this time. */
  delay(ms: number): void;
}

export type Way = 'to the server' | 'to the client';

interface Rule {
  readonly marker: string;
  readonly cut: Cut;
  readonly every: number;
  seen: number;
  left: number;
}

const markerCharactersMax = 100;

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let rules: Rule[] = [];
  let isHeld = false;
  let delayMs = 0;
  const servers = new Set<Socket>();

  let offsets: { readonly way: Way; left: number }[] = [];
  /** @returns the number of these bytes to forward; null: all of them. */
  const bytesBeforeCut = (way: Way, bytes: number): number | null => {
    const reached = offsets.find((each) => each.way === way && each.left < bytes) ?? null;
    for (const each of offsets) if (each.way === way) each.left -= bytes;
    offsets = offsets.filter((each) => each !== reached);
    return reached === null ? null : reached.left + bytes;
  };

  /** Keeps the order: timers of one length fire as they were set. */
  const handOn = (to: Socket, chunk: Buffer) => {
    if (delayMs === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), delayMs);
  };

  const findRule = (tail: string, sent: string): Rule | null => {
    // A marker may arrive in two chunks, and none is counted twice.
    const rule = rules.find(({ marker }) => (tail.slice(1 - marker.length) + sent).includes(marker));
    if (rule === undefined) return null;
    rule.seen += 1;
    if (rule.seen % rule.every !== 0) return null;
    rule.left -= 1;
    rules = rules.filter(({ left }) => left > 0);
    return rule;
  };
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    let tail = '';
    let isResponseWanted = true;
    open.add(client);
    servers.add(server);
    server.once('close', () => servers.delete(server));
    if (isHeld) for (const socket of [client, server]) socket.pause();
    const cutBoth = () => {
      open.delete(client);
      client.destroy();
      server.destroy();
    };
    client.on('data', (chunk: Buffer) => {
      const before = bytesBeforeCut('to the server', chunk.length);
      if (before !== null) {
        client.pause();
        server.write(chunk.subarray(0, before), cutBoth);
        return;
      }
      const sent = chunk.toString('latin1');
      const rule = findRule(tail, sent);
      tail = (tail + sent).slice(-markerCharactersMax);
      if (rule === null) {
        handOn(server, chunk);
        return;
      }
      switch (rule.cut) {
        case 'before it is delivered':
          cutBoth();
          return;
        case 'once it is delivered':
          server.end(chunk);
          isResponseWanted = false;
          open.delete(client);
          client.destroy();
          return;
        case 'when it is answered':
          isResponseWanted = false;
          server.write(chunk);
          return;
      }
    });
    server.on('data', (chunk: Buffer) => {
      const before = bytesBeforeCut('to the client', chunk.length);
      if (before !== null) {
        server.pause();
        client.write(chunk.subarray(0, before), cutBoth);
        return;
      }
      if (isResponseWanted) handOn(client, chunk);
      else cutBoth();
    });
    for (const socket of [client, server]) {
      socket.setNoDelay();
      socket.on('error', cutBoth);
    }
    client.on('close', () => {
      // Delivered bytes stay delivered: the server finds out on its own.
      if (isResponseWanted) cutBoth();
    });
    server.on('close', cutBoth);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    port: address.port,
    cutAt(marker, cut, { every, times }) {
      const rule: Rule = { marker, cut, every, seen: 0, left: times };
      rules.push(rule);
      return () => times - rule.left;
    },
    cutAfter(bytes, way) {
      const offset = { way, left: bytes };
      offsets.push(offset);
      return () => !offsets.includes(offset);
    },
    cutAll() {
      offsets = [];
      for (const client of open) client.destroy();
    },
    hold() {
      isHeld = true;
      for (const socket of [...open, ...servers]) socket.pause();
      return () => {
        isHeld = false;
        for (const socket of [...open, ...servers]) socket.resume();
      };
    },
    delay(ms) {
      delayMs = ms;
    },
    async [Symbol.asyncDispose]() {
      proxy.close();
      for (const client of open) client.destroy();
      await once(proxy, 'close');
    },
  };
}
