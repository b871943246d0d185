import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response, and whether its request was sent after the end was acknowledged. */
export interface HammerResponse {
  readonly target: string;
  readonly isAfter: boolean;
  readonly status: number;
  readonly body: string;
}

/**
 * A request to send. Requests of one list are sent in one chunk, without waiting for responses between them.
 */
export interface HammerRequest {
  readonly method?: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const connections = 32;
/** Per connection, before the end begins and again after it is acknowledged. */
const roundsAround = 2;
/** While an end takes long, most connections stop after some rounds to wait for it; a few continue. */
const concurrentRoundsMax = 8;
const steadyConnections = 3;
const steadyRoundsMax = 1000;

/**
 * Sends the requests over many connections, again and again: before, while and after something ends. The
 * connections take the lists in rotation.
 * @param end resolves when the end was acknowledged.
 */
export async function hammer(
  url: string,
  lists: readonly (readonly HammerRequest[])[],
  end: () => Promise<void>,
): Promise<readonly HammerResponse[]> {
  const responses: HammerResponse[] = [];
  let isOver = false;
  let begun = 0;
  const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: acknowledge } = Promise.withResolvers<void>();

  const drive = async (list: readonly HammerRequest[], concurrentMax: number) => {
    const line = new Line(url);
    const round = async () => {
      const isAfter = isOver;
      const found = await line.ask(list);
      for (const [index, response] of found.entries()) {
        responses.push({ target: list[index]?.target ?? '', isAfter, ...response });
      }
    };
    try {
      for (let n = 0; n < roundsAround; n += 1) await round();
      begun += 1;
      if (begun === connections) begin();
      for (let n = 0; n < concurrentMax && !isOver; n += 1) await round();
      await ended;
      for (let n = 0; n < roundsAround; n += 1) await round();
    } finally {
      line.close();
    }
  };
  const ending = isBegun.then(end).then(() => {
    isOver = true;
    acknowledge();
  });
  const driven = Array.from({ length: connections }, (_, index) =>
    drive(
      lists[index % lists.length] ?? [],
      index < steadyConnections ? steadyRoundsMax : concurrentRoundsMax,
    ),
  );
  await Promise.all([ending, ...driven]);
  return responses;
}

/** One connection, opened again when the server closed it. */
class Line {
  readonly #url: string;
  #socket: Socket | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(list: readonly HammerRequest[]): Promise<readonly { status: number; body: string }[]> {
    const socket = this.#socket ?? (await this.#open());
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (parseResponses(text).length >= list.length) resolve(text);
    };
    const onClose = () => {
      this.#socket = null;
      if (text === '') reject(new Error('the connection was closed without a response'));
      else resolve(text);
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(list.map((request) => textOf(request)).join(''));
    try {
      return parseResponses(await promise);
    } finally {
      socket.off('data', onData).off('close', onClose);
    }
  }

  async #open(): Promise<Socket> {
    const { hostname, port } = new URL(this.#url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    // An error shows when the connection closes.
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    this.#socket = socket;
    return socket;
  }

  close(): void {
    this.#socket?.destroy();
  }
}

function textOf({ method = 'GET', target, headers, body }: HammerRequest): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** The complete responses. Every response here has a length. */
function parseResponses(text: string): { status: number; body: string }[] {
  const found: { status: number; body: string }[] = [];
  let at = 0;
  for (;;) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return found;
    const head = text.slice(at, headEnd);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) throw new Error(`a response without a length: ${head}`);
    const end = headEnd + 4 + Number(length);
    if (text.length < end) return found;
    found.push({ status: Number(head.slice(9, 12)), body: text.slice(headEnd + 4, end) });
    at = end;
  }
}
