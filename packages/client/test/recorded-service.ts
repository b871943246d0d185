import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: string | Uint8Array;
}

export interface ReceivedRequest {
  readonly method: string;
  /** The request as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Reaction to one request: a response, a broken connection or no response. */
export type Play = RecordedResponse | 'break' | 'silence' | ((request: ReceivedRequest) => RecordedResponse);

/** Starts a loopback server that sends recorded responses in order and keeps its requests. */
export interface RecordedService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
}

export async function startRecordedService(...exchanges: readonly Play[]): Promise<RecordedService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, target: url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    const play = exchanges[requests.length - 1] ?? {
      status: 599,
      json: { message: 'nothing is recorded for this' },
    };
    if (play === 'silence') return;
    if (play === 'break') return response.destroy();
    const result = typeof play === 'function' ? play(request) : play;
    const isJson = result.json !== undefined;
    response.writeHead(result.status, {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...result.headers,
    });
    response.end(isJson ? JSON.stringify(result.json) : result.bytes);
  });
  const baseUrl = await listen(server);
  return {
    baseUrl,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}
