import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** The operation that a request asks of the store. */
export type StoreOperation =
  | 'put'
  | 'copy'
  | 'begin'
  | 'part'
  | 'copy_part'
  | 'complete'
  | 'abort'
  | 'get'
  | 'head'
  | 'remove'
  | 'list'
  | 'list_uploads';

/** The fault of a request. */
export type Fault =
  /** Rejected before it reaches the store. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  /** The store does it, and the client gets a failure. */
  | { readonly kind: 'done_but_refused'; readonly status: number; readonly code: string }
  /** The store does it, and the response has an empty entity tag in its body, as Ceph's has. */
  | { readonly kind: 'untagged' }
  /** The response comes from a program that does not speak S3, such as a web server. */
  | { readonly kind: 'foreign'; readonly status: number; readonly body: string }
  /** A success whose body is an error. */
  | { readonly kind: 'error_in_success'; readonly code: string }
  /** The connection breaks: before the store gets the request, or once the store has done it. */
  | { readonly kind: 'reset_before' }
  | { readonly kind: 'reset_after' }
  /** The connection breaks after this number of bytes of the body. */
  | { readonly kind: 'cut'; readonly atByte: number }
  /** The response is shorter, and says so. */
  | { readonly kind: 'shortened'; readonly toBytes: number }
  /** One byte of the response body is changed. */
  | { readonly kind: 'flipped'; readonly atByte: number }
  /** The first byte of the sent body is changed. */
  | { readonly kind: 'sent_flipped' }
  /** No more bytes arrive, and the connection stays open. */
  | { readonly kind: 'silent' }
  /** The same, after this number of bytes of the body. */
  | { readonly kind: 'stalled'; readonly atByte: number };

export interface FaultRule {
  readonly on: StoreOperation;
  /** Lets this number of matching requests pass first. */
  readonly skip?: number;
  /** The number of requests hit after that. */
  readonly times: number;
  readonly fault: Fault;
}

/** A proxy between a client and an object store that injects faults by a rule. */
export interface FaultyObjectStore extends AsyncDisposable {
  readonly endpoint: string;
  /** All requests in order, including the faulty ones. */
  readonly seen: readonly StoreOperation[];
  inject(rule: FaultRule): void;
  /** Ends all faults and empties `seen`. */
  clear(): void;
}

export async function startFaultyObjectStore(storeEndpoint: string): Promise<FaultyObjectStore> {
  let rules: { readonly rule: FaultRule; skip: number; times: number }[] = [];
  const seen: StoreOperation[] = [];
  const faultFor = (operation: StoreOperation): Fault | null => {
    for (const left of rules) {
      if (left.rule.on !== operation || left.times === 0) continue;
      if (left.skip > 0) {
        left.skip -= 1;
        continue;
      }
      left.times -= 1;
      return left.rule.fault;
    }
    return null;
  };
  const server = createServer((incoming, outgoing) => {
    const operation = operationOf(incoming);
    seen.push(operation);
    serve(storeEndpoint, incoming, outgoing, faultFor(operation));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    seen,
    inject(rule) {
      rules.push({ rule, skip: rule.skip ?? 0, times: rule.times });
    },
    clear() {
      rules = [];
      seen.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function operationOf({ method, url = '', headers }: IncomingMessage): StoreOperation {
  const { searchParams } = new URL(url, 'http://store');
  switch (method) {
    case 'PUT':
      if ('x-amz-copy-source' in headers) return searchParams.has('partNumber') ? 'copy_part' : 'copy';
      return searchParams.has('partNumber') ? 'part' : 'put';
    case 'POST':
      return searchParams.has('uploads') ? 'begin' : 'complete';
    case 'DELETE':
      return searchParams.has('uploadId') ? 'abort' : 'remove';
    case 'HEAD':
      return 'head';
    default:
      if (searchParams.has('list-type')) return 'list';
      return searchParams.has('uploads') ? 'list_uploads' : 'get';
  }
}

function serve(
  storeEndpoint: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | null,
): void {
  switch (fault?.kind) {
    case 'refused':
      incoming.resume().once('end', () => handleError(outgoing, fault.status, fault.code));
      return;
    case 'foreign':
      incoming.resume().once('end', () => outgoing.writeHead(fault.status).end(fault.body));
      return;
    case 'error_in_success':
      incoming.resume().once('end', () => handleError(outgoing, 200, fault.code));
      return;
    case 'reset_before':
      incoming.socket.resetAndDestroy();
      return;
    case 'silent':
      incoming.resume();
      return;
  }
  const { method = 'GET', url: path = '/', headers } = incoming;
  const forwarded = request(storeEndpoint, { method, path, headers, setHost: false }, (response) => {
    switch (fault?.kind) {
      case 'done_but_refused':
        response.resume().once('end', () => handleError(outgoing, fault.status, fault.code));
        return;
      case 'reset_after':
        response.resume().once('end', () => incoming.socket.resetAndDestroy());
        return;
      case 'untagged':
        void passUntagged(response, outgoing);
        return;
    }
    pass(response, outgoing, fault);
  });
  forwarded.once('error', () => incoming.socket.destroy());
  outgoing.once('close', () => forwarded.destroy());
  if (fault?.kind === 'sent_flipped') incoming.once('data', (chunk: Buffer) => flip(chunk, 0));
  incoming.pipe(forwarded);
}

function handleError(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/xml' });
  outgoing.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>a fault of the test</Message></Error>`,
  );
}

function pass(response: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): void {
  const headers = { ...response.headers };
  if (fault?.kind === 'shortened') headers['content-length'] = String(fault.toBytes);
  outgoing.writeHead(response.statusCode ?? 502, headers);
  if (fault === null) {
    response.pipe(outgoing);
    return;
  }
  let at = 0;
  response.on('data', (chunk: Buffer) => {
    const end = at + chunk.byteLength;
    if (fault.kind === 'flipped' && at <= fault.atByte && fault.atByte < end) {
      flip(chunk, fault.atByte - at);
    }
    const limit = limitOf(fault);
    outgoing.write(chunk.subarray(0, Math.max(0, limit - at)));
    if (at <= limit && limit < end && fault.kind === 'cut') outgoing.socket?.destroySoon();
    at = end;
  });
  response.once('end', () => {
    const isBroken = (fault.kind === 'stalled' || fault.kind === 'cut') && fault.atByte < at;
    if (!isBroken) outgoing.end();
  });
}

async function passUntagged(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(response)).toString();
  const { 'content-length': _, ...headers } = response.headers;
  outgoing.writeHead(response.statusCode ?? 502, headers);
  outgoing.end(body.replace(/<ETag>.*?<\/ETag>/s, '<ETag></ETag>'));
}

function flip(bytes: Uint8Array, index: number): void {
  bytes[index] = (bytes[index] ?? 0) ^ 1;
}

function limitOf(fault: Fault): number {
  switch (fault.kind) {
    case 'cut':
    case 'stalled':
      return fault.atByte;
    case 'shortened':
      return fault.toBytes;
    default:
      return Number.POSITIVE_INFINITY;
  }
}
