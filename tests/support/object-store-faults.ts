import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What a request wants of the store. */
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

/** What goes wrong with a request. */
export type Fault =
  /** Refused before the store hears of it. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  /** The store does it, and a failure is answered. */
  | { readonly kind: 'done_but_refused'; readonly status: number; readonly code: string }
  /** The store does it, and the answer has an empty entity tag in its body, as Ceph's has. */
  | { readonly kind: 'untagged' }
  /** Answered by a program that does not speak S3, as a web server in the store's place does. */
  | { readonly kind: 'foreign'; readonly status: number; readonly body: string }
  /** Answered as a success whose body is an error. */
  | { readonly kind: 'error_in_success'; readonly code: string }
  /** The connection breaks: before the store hears of it, or once it has done it. */
  | { readonly kind: 'reset_before' }
  | { readonly kind: 'reset_after' }
  /** The connection breaks when so many bytes of the body have passed. */
  | { readonly kind: 'cut'; readonly atByte: number }
  /** The answer is shorter, and says so. */
  | { readonly kind: 'shortened'; readonly toBytes: number }
  /** One byte of the answer's body is another one. */
  | { readonly kind: 'flipped'; readonly atByte: number }
  /** The first byte of what was sent arrives as another one. */
  | { readonly kind: 'sent_flipped' }
  /** Nothing comes any more, and the connection stays. */
  | { readonly kind: 'silent' }
  /** The same, after so many bytes of the body. */
  | { readonly kind: 'stalled'; readonly atByte: number };

export interface FaultRule {
  readonly on: StoreOperation;
  /** Lets so many of these pass first. */
  readonly skip?: number;
  /** How many are hit after that. */
  readonly times: number;
  readonly fault: Fault;
}

/** Stands between a client and an object store, and does to requests what a rule says. */
export interface FaultyObjectStore extends AsyncDisposable {
  readonly endpoint: string;
  /** All requests that came, in their order, the hit ones too. */
  readonly seen: readonly StoreOperation[];
  inject(rule: FaultRule): void;
  /** No more faults, and `seen` begins anew. */
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
      incoming.resume().once('end', () => answerError(outgoing, fault.status, fault.code));
      return;
    case 'foreign':
      incoming.resume().once('end', () => outgoing.writeHead(fault.status).end(fault.body));
      return;
    case 'error_in_success':
      incoming.resume().once('end', () => answerError(outgoing, 200, fault.code));
      return;
    case 'reset_before':
      incoming.socket.resetAndDestroy();
      return;
    case 'silent':
      incoming.resume();
      return;
  }
  const { method = 'GET', url: path = '/', headers } = incoming;
  const forwarded = request(storeEndpoint, { method, path, headers, setHost: false }, (answer) => {
    switch (fault?.kind) {
      case 'done_but_refused':
        answer.resume().once('end', () => answerError(outgoing, fault.status, fault.code));
        return;
      case 'reset_after':
        answer.resume().once('end', () => incoming.socket.resetAndDestroy());
        return;
      case 'untagged':
        void passUntagged(answer, outgoing);
        return;
    }
    pass(answer, outgoing, fault);
  });
  forwarded.once('error', () => incoming.socket.destroy());
  outgoing.once('close', () => forwarded.destroy());
  if (fault?.kind === 'sent_flipped') incoming.once('data', (chunk: Buffer) => flip(chunk, 0));
  incoming.pipe(forwarded);
}

function answerError(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/xml' });
  outgoing.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>a fault of the test</Message></Error>`,
  );
}

function pass(answer: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): void {
  const headers = { ...answer.headers };
  if (fault?.kind === 'shortened') headers['content-length'] = String(fault.toBytes);
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  if (fault === null) {
    answer.pipe(outgoing);
    return;
  }
  let at = 0;
  answer.on('data', (chunk: Buffer) => {
    const end = at + chunk.byteLength;
    if (fault.kind === 'flipped' && at <= fault.atByte && fault.atByte < end) {
      flip(chunk, fault.atByte - at);
    }
    const limit = limitOf(fault);
    outgoing.write(chunk.subarray(0, Math.max(0, limit - at)));
    if (at <= limit && limit < end && fault.kind === 'cut') outgoing.socket?.destroySoon();
    at = end;
  });
  answer.once('end', () => {
    const isBroken = (fault.kind === 'stalled' || fault.kind === 'cut') && fault.atByte < at;
    if (!isBroken) outgoing.end();
  });
}

async function passUntagged(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(answer)).toString();
  const { 'content-length': _, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, headers);
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
