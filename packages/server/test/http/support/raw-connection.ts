import { connect, type Socket } from 'node:net';

/** A raw connection. It sends bytes unchanged, and keeps the received ones as text. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** Resolves with everything received once it matches; fails when the connection closes first. */
  received(pattern: RegExp): Promise<string>;
  /** Resolves with everything received once the server closed the connection. */
  closed(): Promise<string>;
}

export function rawConnection(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let ended = false;
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    notify();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    notify();
  });
  const until = (isThere: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      const watch = () => {
        if (!isThere() && !ended) return;
        watchers.delete(watch);
        if (isThere()) resolve(text);
        else reject(new Error(`the connection closed after: ${text}`));
      };
      watchers.add(watch);
      watch();
    });
  return {
    socket,
    send: (data) => void socket.write(data),
    received: (pattern) => until(() => pattern.test(text)),
    closed: () => until(() => ended),
  };
}
