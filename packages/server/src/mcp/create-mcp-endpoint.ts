import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';

export interface McpEndpoint {
  /** Answers one POST: JSON, or nothing for a notification. Holds nothing afterwards. */
  answer(request: McpRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Nothing is fetched from it: the protocol library wants a whole request. */
const address = 'http://localhost/api/mcp';

/**
 * The MCP server without its transport's outer part: body, key, Origin and Host are seen to before (specification: MCP
 * server). Serves the revisions opened by `initialize` and the stateless ones side by side, without a session in either.
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
      const web = new Request(address, { method: 'POST', headers: acceptingAll(headers) });
      if (await isLegacyRequest(web, parsedBody)) {
        return answerLegacy(createMcpServer(deps, request), web, parsedBody);
      }
      const authInfo = { token: '', clientId: request.caller.actor.userId, scopes: [] };
      requests.set(authInfo, request);
      return modern.fetch(web, { parsedBody, authInfo });
    },
    close: () => modern.close(),
  };
}

async function answerLegacy(server: Server, web: Request, parsedBody: unknown): Promise<Response> {
  // No session, and a transport for this request alone.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(web, { parsedBody });
    // Read to its end before the server behind it is closed.
    return new Response(await response.arrayBuffer().then(orNothing), response);
  } finally {
    await server.close();
  }
}

/** Answers are JSON whatever is asked for, so that a plain HTTP client need not know what the protocol wants to hear. */
function acceptingAll(headers: Headers): Headers {
  const all = new Headers(headers);
  all.set('accept', 'application/json, text/event-stream');
  all.set('content-type', 'application/json');
  return all;
}

function orNothing(bytes: ArrayBuffer): ArrayBuffer | null {
  return bytes.byteLength === 0 ? null : bytes;
}
