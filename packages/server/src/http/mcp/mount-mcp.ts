import { type ToolSetName, toolSets } from '@stoa/contract';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpAnswer, McpEndpoint } from '../../mcp/create-mcp-endpoint.ts';
import { dataHeaders } from '../answers/answer.ts';
import { sendRefusedWhole } from '../answers/send-refusal.ts';
import type { HttpDeps } from '../http-deps.ts';
import { abortedWith, mount, mountMethodRefusal } from '../operation.ts';
import { header } from '../request/headers.ts';
import { withLargeJson } from '../request/read-json-body.ts';
import { noteActor, noteFailure } from '../request-record.ts';

const path = '/api/mcp';
/** Beside the content of a file: the other arguments and the protocol's own words. */
const envelopeMaxBytes = 1024 * 1024;
/** Base64 makes four characters of three bytes. As plain text, what has to be escaped takes more: base64 is for that. */
const base64Ratio = 4 / 3;
const mcpHeaders = { 'content-type': 'application/json' };
/** Mounts the MCP endpoint (interface: mcp, Endpoint): POST alone, opened by an API key alone. */
export function mountMcp(app: FastifyInstance, deps: HttpDeps): void {
  // Loaded by the first who speaks the protocol: its library is a tenth of a server's start.
  let opened: Promise<McpEndpoint> | null = null;
  const endpoint = () => {
    opened ??= import('../../mcp/create-mcp-endpoint.ts').then((mcp) =>
      mcp.createMcpEndpoint({ ...deps, traceTool: deps.traces?.tool ?? null }),
    );
    return opened;
  };
  app.addHook('onClose', async () => (await opened)?.close());
  const maxBytes = Math.ceil(deps.service.plans.maxFileBytes * base64Ratio) + envelopeMaxBytes;
  mount(app, 'POST', path, async (request, reply) => {
    const caller = await requireCaller(deps, request);
    const toolSet = toolSetOf(request.query);
    const from = { messages: deps.messages, userId: caller.actor.userId };
    const at = { request: request.raw, response: reply.raw };
    let isRead = false;
    try {
      await withLargeJson(from, at, maxBytes, async (read) => {
        isRead = true;
        if (read === null)
          return sendParseError(request, reply, 'the body must be one JSON-RPC message in JSON');
        const { answer: answerMessage } = await endpoint();
        const answer = await answerMessage({
          headers: headersOf(request),
          body: read.message,
          content: read.content,
          caller,
          toolSet,
          signal: abortedWith(reply.raw),
          reportFault: (error) => reportFault(request, error),
        });
        send(reply, answer);
      });
    } catch (error) {
      if (isRead || !(error instanceof WorkspaceError) || error.code !== 'invalid_request') throw error;
      sendParseError(request, reply, error.message);
    }
  });
  mountMethodRefusal(app, path, ['POST']);
}

/** A set that is misspelt must not be silently another one. */
function toolSetOf(query: unknown): ToolSetName {
  const { toolset: name } = query as Readonly<Record<string, unknown>>;
  if (name === undefined) return 'standard';
  const known = Object.keys(toolSets).filter((each) => each !== 'standard');
  const found = known.find((each) => each === name);
  if (found === undefined) {
    throw invalidRequest(`toolset: must be ${known.join(' or ')}; without it the standard tools are listed`);
  }
  return found as ToolSetName;
}

/** A body that is not JSON has no id to answer to: the protocol has its own words for that. */
function sendParseError({ raw }: FastifyRequest, reply: FastifyReply, reason: string): void {
  const error = { code: -32700, message: `Parse error: ${reason}` };
  sendRefusedWhole(raw, reply, {
    status: 400,
    headers: mcpHeaders,
    body: { jsonrpc: '2.0', error, id: null },
  });
}

/**
 * Cookies open nothing here, so a foreign page has none to use. Its Origin is refused all the same: programs send none, a
 * browser always does.
 */
async function requireCaller(deps: HttpDeps, { raw }: FastifyRequest) {
  const origin = header(raw, 'origin');
  if (origin !== null && !deps.trustedOrigins.includes(origin.toLowerCase())) {
    throw new WorkspaceError('foreign_origin');
  }
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
  else reply.headers(mcpHeaders).send(body);
}
