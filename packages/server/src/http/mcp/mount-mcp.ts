import { type ToolSetName, toolSets } from '@stoa/contract';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { batchedReads } from '../../mcp/batched-reads.ts';
import type { McpEndpoint, McpResponse } from '../../mcp/create-mcp-endpoint.ts';
import { callsCostlyTool } from '../../mcp/tool-costs.ts';
import type { Caller } from '../../service/access.ts';
import type { HttpDeps } from '../http-deps.ts';
import { abortedWith, mount, mountMethodError } from '../operation.ts';
import { header } from '../request/headers.ts';
import { withLargeJson } from '../request/read-json-body.ts';
import { recordActor, recordFailure } from '../request-record.ts';
import { dataHeaders } from '../responses/response.ts';
import { sendRejectedWhole } from '../responses/send-error.ts';
import { withArgumentsRead } from './read-arguments.ts';

const path = '/api/mcp';
/** Room for the protocol and for arguments other than a file's content. */
const envelopeMaxBytes = 1024 * 1024;
/** Base64 encodes three bytes as four characters. Text with many escapes may need more and should be sent as base64. */
const base64Ratio = 4 / 3;
const mcpHeaders = { 'content-type': 'application/json' };
/** Mounts the MCP endpoint (interface: mcp, Endpoint): POST only, with an API key only. */
export function mountMcp(app: FastifyInstance, deps: HttpDeps): void {
  // Loaded on first use, because the protocol's library is a tenth of the server's start time.
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
        const round = deps.permits.of(reply.raw, () => permitKeys(caller));
        const whileWaiting = await round.callUntilSent(callsCostlyTool(read.message));
        const { answer: responseMessage } = await endpoint();
        const response = await responseMessage({
          headers: headersOf(request),
          body: withArgumentsRead(read.message),
          content: read.content,
          caller,
          toolSet,
          signal: abortedWith(reply.raw),
          batchedReads: batchedReads(),
          whileWaiting,
          reportFault: (error) => reportFault(request, error),
        });
        send(reply, response);
      });
    } catch (error) {
      if (isRead || !(error instanceof WorkspaceError) || error.code !== 'invalid_request') throw error;
      sendParseError(request, reply, error.message);
    }
  });
  mountMethodError(app, path, ['POST']);
}

/** With an account-wide key the workspace is named in the calls. */
function permitKeys({ actor, scopedTo }: Caller): readonly string[] {
  return scopedTo === null ? [actor.userId] : [actor.userId, scopedTo];
}

/** A misspelt set must not silently select another one. */
function toolSetOf(query: unknown): ToolSetName {
  const { toolset: name = 'standard' } = query as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !Object.hasOwn(toolSets, name)) {
    throw invalidRequest('toolset: must be extended or files; standard, or none, is the standard set');
  }
  return name as ToolSetName;
}

/** A body that is not JSON has no id, so the response has none. */
function sendParseError({ raw }: FastifyRequest, reply: FastifyReply, reason: string): void {
  const error = { code: -32700, message: `Parse error: ${reason}` };
  sendRejectedWhole(raw, reply, {
    status: 400,
    headers: mcpHeaders,
    body: { jsonrpc: '2.0', error, id: null },
  });
}

/**
 * Cookies have no effect here, so a foreign page cannot use them. A foreign Origin is rejected anyway: programs send
 * none, a browser always does.
 */
async function requireCaller(deps: HttpDeps, { raw }: FastifyRequest) {
  const origin = header(raw, 'origin');
  if (origin !== null && !deps.trustedOrigins.includes(origin.toLowerCase())) {
    throw new WorkspaceError('foreign_origin');
  }
  const apiKey = header(raw, 'x-api-key');
  if (apiKey === null) throw new WorkspaceError('unauthorized');
  const caller = await deps.auth.authenticate({ apiKey, cookie: null });
  recordActor(raw, caller.actor);
  return caller;
}

/** The headers that the protocol reads, without credentials. */
function headersOf({ raw }: FastifyRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers)) {
    if (typeof value === 'string' && name.startsWith('mcp-')) headers[name] = value;
  }
  return headers;
}

function reportFault(request: FastifyRequest, error: unknown): string {
  recordFailure(request.raw, error);
  return `Something went wrong on the server; the operator finds it in the log under request ${request.id}.`;
}

function send(reply: FastifyReply, { status, body }: McpResponse): void {
  reply.code(status).headers(dataHeaders);
  // The response to a notification is empty.
  if (body.length === 0) reply.send();
  else reply.headers(mcpHeaders).send(body);
}
