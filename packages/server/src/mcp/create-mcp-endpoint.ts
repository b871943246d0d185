// docs/decisions/0031-mcp-surface.md
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import {
  extendedInstructions,
  instructions,
  interfaceVersion,
  type PublishedTool,
  publishTools,
  type ToolSetName,
} from '@stoa/contract';
import { mostOf, type Need } from '@stoa/core';
import { callTool } from './call-tool.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import type { Tool } from './tool.ts';
import { toolLists } from './tools/tool-list.ts';

/** What a key may call and is told, built once: a request only picks one. */
interface ToolSet {
  readonly byName: ReadonlyMap<string, { readonly tool: Tool; readonly published: PublishedTool }>;
  /** By the most that a key may do. A tool beyond that is not listed; called all the same, it says what the key may. */
  readonly published: Readonly<Record<Need, readonly PublishedTool[]>>;
}

const toolSets = {
  standard: toolSetsOf('standard'),
  extended: toolSetsOf('extended'),
  files: toolSetsOf('files'),
};

function toolSetsOf(set: ToolSetName) {
  return { accountWide: toolSetOf('account-wide', set), scoped: toolSetOf('scoped', set) };
}

function toolSetOf(key: 'account-wide' | 'scoped', set: ToolSetName): ToolSet {
  const published = publishTools(key, set);
  const tools = new Map(toolLists[set].map((tool) => [tool.descriptor.name, tool]));
  const byName: Map<string, { readonly tool: Tool; readonly published: PublishedTool }> = new Map();
  for (const each of published) {
    const tool = tools.get(each.name);
    if (tool === undefined) throw new Error(`nothing does what ${each.name} says`);
    byName.set(each.name, { tool, published: each });
  }
  const upTo = (most: Need) => publishTools(key, set, most);
  return {
    byName,
    published: { read: upTo('read'), comment: upTo('comment'), write: upTo('write'), workspace: published },
  };
}

const serverInfo = { name: 'service', title: 'Stoa', version: interfaceVersion };
/** The list changes only with the server's version, but a client may hold it for one key and use another. */
const toolListHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * A server for one request. It must not be used for a second one: answers are matched to requests by ids that clients
 * choose, and two clients may choose the same.
 */
function createMcpServer(deps: McpDeps, request: McpRequest): Server {
  const { accountWide, scoped } = toolSets[request.toolSet];
  const { byName, published } = request.caller.scopedTo === null ? accountWide : scoped;
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: request.toolSet === 'standard' ? instructions : extendedInstructions,
    cacheHints: { 'tools/list': toolListHint },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...published[mostOf(request.caller.grant)]] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const called = byName.get(params.name);
    if (called === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, request.toolSet));
    return callTool(deps, request, called.tool, called.published, params.arguments);
  });
  return server;
}

function unknownTool(name: string, set: ToolSetName): string {
  if (toolSets[set].accountWide.byName.has(name))
    return `${name} is for account-wide keys: this key is scoped to one workspace`;
  if (toolSets.extended.accountWide.byName.has(name))
    return `${name} is in the extended tool set: connect to /api/mcp?toolset=extended.`;
  return `Unknown tool: ${name.slice(0, 100)}. tools/list names those there are.`;
}

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
