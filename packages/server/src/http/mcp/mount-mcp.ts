import { WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { McpAnswer, McpEndpoint } from '../../mcp/create-mcp-endpoint.ts';
import type { LargeMessage } from '../../mcp/large-message.ts';
import { dataHeaders } from '../answers/answer.ts';
import type { HttpDeps } from '../http-deps.ts';
import { header } from '../request/headers.ts';
import { parseJson, readJsonChunks } from '../request/read-json-body.ts';
import { noteActor, noteFailure } from '../request-record.ts';
import { mount, mountMethodRefusal } from '../serve-operation.ts';
import { refuseForeignPage } from './refuse-foreign-page.ts';

const path = '/api/mcp';
/** Beside the content of a file: the other arguments and the protocol's own words. */
const envelopeMaxBytes = 1024 * 1024;
/** Base64 makes four characters of three bytes. As plain text, what has to be escaped takes more: base64 is for that. */
const base64Ratio = 4 / 3;
/** Beyond it a body is parsed in another thread: other requests wait for no more. */
const smallBodyBytes = 512 * 1024;
/** Bodies beyond this are held in memory a few at a time. */
const largeBodyBytes = 4 * 1024 * 1024;
/** Of everybody and of one person: a slow line must not stop the others. */
const largeHeldMax = 8;
const largeHeldOfOneMax = 2;
const waitingMax = 1000;

/** Mounts the MCP endpoint (interface: mcp, Endpoint): POST alone, opened by an API key alone. */
export function mountMcp(app: FastifyInstance, deps: HttpDeps, endpoint: McpEndpoint): void {
  const largeBodies = createSemaphore(largeHeldMax, { waitingMax, atOnceOfOne: largeHeldOfOneMax });
  const maxBytes = Math.ceil(deps.service.plans.maxFileBytes * base64Ratio) + envelopeMaxBytes;
  mount(app, 'POST', path, async (request, reply) => {
    const caller = await findCaller(deps, request);
    const turns: (() => void)[] = [];
    const beforeHolding = async (sizeBytes: number) => {
      if (sizeBytes <= largeBodyBytes || turns.length > 0) return;
      turns.push(await largeBodies.acquire(caller.actor.userId));
    };
    try {
      const chunks = await readJsonChunks(request.raw, reply.raw, maxBytes, { beforeHolding });
      const read = await parseMessage(deps, caller.actor.userId, chunks);
      if (read === null) return sendParseError(reply);
      const answer = await endpoint.answer({
        headers: headersOf(request),
        body: read.message,
        content: read.content,
        caller,
        reportFault: (error) => reportFault(request, error),
      });
      send(reply, answer);
    } finally {
      for (const end of turns) end();
    }
  });
  mountMethodRefusal(app, path, ['POST']);
}

/** @returns null when it is no JSON. */
async function parseMessage(
  { messages }: Pick<HttpDeps, 'messages'>,
  userId: string,
  chunks: readonly Uint8Array[],
): Promise<LargeMessage | null> {
  const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (sizeBytes > smallBodyBytes) return messages.parse(userId, chunks);
  const message = parseJson(chunks);
  return message === undefined ? null : { message, content: null };
}

/** What is no JSON has no id to answer to: the protocol has its own words for that. */
function sendParseError(reply: FastifyReply): void {
  const error = { code: -32700, message: 'Parse error: the body must be one JSON-RPC message in JSON' };
  reply
    .code(400)
    .headers(dataHeaders)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

/** A cookie opens nothing here, so there is none that a foreign page could use. */
async function findCaller(deps: HttpDeps, { raw }: FastifyRequest) {
  refuseForeignPage({ origin: header(raw, 'origin'), host: header(raw, 'host') }, deps.trustedOrigins);
  const apiKey = header(raw, 'x-api-key');
  if (apiKey === null) throw new WorkspaceError('unauthorized');
  const caller = await deps.auth.authenticate({ apiKey, cookie: null });
  noteActor(raw, caller.actor);
  return caller;
}

/** What the protocol reads; credentials stay outside. */
function headersOf({ raw }: FastifyRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers)) {
    if (typeof value === 'string' && name.startsWith('mcp-')) headers[name] = value;
  }
  return headers;
}

function reportFault(request: FastifyRequest, error: unknown): string {
  noteFailure(request.raw, error);
  return `Something went wrong on the server; the operator finds it in the log under request ${request.id}.`;
}

function send(reply: FastifyReply, { status, body }: McpAnswer): void {
  reply.code(status).headers(dataHeaders);
  // A notification is taken without a word.
  if (body.length === 0) reply.send();
  else reply.header('content-type', 'application/json').send(body);
}
