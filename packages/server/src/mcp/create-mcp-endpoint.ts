import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';

/** Status and JSON; an empty body for a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface McpEndpoint {
  /** Answers one POST: JSON, or nothing for a notification. Holds nothing afterwards. */
  answer(request: McpRequest): Promise<McpAnswer>;
  close(): Promise<void>;
}

/** Answers are JSON whatever is asked for, so that a plain HTTP client need not know what the protocol wants to hear. */
const ownHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
/** Nothing is fetched from it: the protocol library wants a whole request. */
const address = 'http://localhost/api/mcp';

/**
 * The MCP server without its transport's outer part: body, key, Origin and Host are seen to before (interface:
 * mcp, Endpoint). Serves the revisions opened by `initialize` and the stateless ones side by side, without a session in either.
 */
export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const requests = new WeakMap<object, McpRequest>();
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const request = authInfo && requests.get(authInfo);
      if (request === undefined) throw new Error('a request reached its server without its sender');
      return createMcpServer(deps, request);
    },
    // Tools say nothing before their result, so every answer is one piece of JSON. A subscription would be a stream, and
    // there is nothing to say on one: the tool list never changes while a server runs.
    { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0 },
  );
  return {
    async answer(request) {
      const { headers, body: parsedBody } = request;
      const web = new Request(address, { method: 'POST', headers: { ...headers, ...ownHeaders } });
      if (await isLegacyRequest(web, parsedBody)) {
        return answerLegacy(createMcpServer(deps, request), web, parsedBody);
      }
      const authInfo = { token: '', clientId: request.caller.actor.userId, scopes: [] };
      requests.set(authInfo, request);
      return read(await modern.fetch(web, { parsedBody, authInfo }));
    },
    close: () => modern.close(),
  };
}

async function answerLegacy(server: Server, web: Request, parsedBody: unknown): Promise<McpAnswer> {
  // No session, and a transport for this request alone.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // Read to its end before the server behind it is closed.
    return await read(await transport.handleRequest(web, { parsedBody }));
  } finally {
    await server.close();
  }
}

async function read(response: Response): Promise<McpAnswer> {
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
}
