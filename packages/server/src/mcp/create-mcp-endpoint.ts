// docs/decisions/0018-mcp-surface.md
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import {
  instructionsFor,
  interfaceVersion,
  type PublishedTool,
  publishTools,
  type ToolSetName,
} from '@stoa/contract';
import { mostOf, type Need } from '@stoa/core';
import { viewerOf } from '../service/access.ts';
import { callTool } from './call-tool.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import { reachOf } from './reach-text.ts';
import type { Tool } from './tool.ts';
import { toolLists } from './tools/tool-list.ts';

/** The tools of a kind of key, built once: a request only selects one. */
interface ToolSet {
  readonly byName: ReadonlyMap<string, { readonly tool: Tool; readonly published: PublishedTool }>;
  /** By the access of a key. Tools beyond it are not listed, and a call of one returns what the key may do. */
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
/** The list changes only with the server's version, but a client may cache it for one key and use another. */
const toolListHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * Creates a server for one request. Never reuse it: responses are matched to requests by ids that clients choose, and
 * two clients may choose the same.
 */
function createMcpServer(deps: McpDeps, request: McpRequest, instructions: string): Server {
  const { accountWide, scoped } = toolSets[request.toolSet];
  const { byName, published } = request.caller.scopedTo === null ? accountWide : scoped;
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
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

/** Methods whose response includes the instructions. Only these read the key's details from the database. */
const greetings: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

async function instructionsOf({ service }: McpDeps, { caller, toolSet, body }: McpRequest): Promise<string> {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const isGreeting = messages.some(
    (message) =>
      typeof message === 'object' && message !== null && 'method' in message && greetings.has(message.method),
  );
  if (!isGreeting) return '';
  const { actor, grant, scopedTo } = caller;
  const { workspaces } = service.store.reader;
  const found = scopedTo === null ? null : await workspaces.findWithRole(scopedTo, actor.userId);
  // Do not reveal anything of a workspace that the user has left.
  const workspace = found === null || found.role === null ? null : found.workspace;
  return instructionsFor(toolSet, {
    label: actor.keyLabel,
    userName: actor.userName,
    workspace: workspace === null ? null : { name: workspace.name, isReadOnly: workspace.lapsed },
    access: grant.access,
    reach: workspace === null ? null : await reachOf(service, { workspace, viewer: viewerOf(caller) }),
  });
}

function unknownTool(name: string, set: ToolSetName): string {
  if (toolSets[set].accountWide.byName.has(name))
    return `${name} is for account-wide keys: this key is scoped to one workspace`;
  if (toolSets.extended.accountWide.byName.has(name))
    return `${name} is in the extended tool set: connect to /api/mcp?toolset=extended.`;
  return `Unknown tool: ${name.slice(0, 100)}. tools/list names those there are.`;
}

/** Status and JSON; an empty body for a notification. */
export interface McpResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface McpEndpoint {
  /** Serves one POST: JSON, or an empty body for a notification. Keeps no state. */
  answer(request: McpRequest): Promise<McpResponse>;
  close(): Promise<void>;
}

/** Responses are always JSON, so a plain HTTP client does not need the protocol's `Accept` header. */
const ownHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
/** Never fetched: the protocol library requires a whole request. */
const address = 'http://localhost/api/mcp';

/**
 * The MCP server without the outer part of its transport: body, key, Origin and Host are checked before (interface:
 * mcp, Endpoint). It serves the revisions with `initialize` and the stateless ones, both without a session.
 */
export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const requests = new WeakMap<object, { readonly request: McpRequest; readonly instructions: string }>();
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const sent = authInfo && requests.get(authInfo);
      if (sent === undefined) throw new Error('a request reached its server without its sender');
      return createMcpServer(deps, sent.request, sent.instructions);
    },
    // Tools send nothing before their result, so every response is one JSON document. A subscription would be a
    // stream without events: the tool list never changes while a server runs.
    { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0 },
  );
  return {
    async answer(request) {
      const { headers, body: parsedBody } = request;
      const instructions = await instructionsOf(deps, request);
      const web = new Request(address, { method: 'POST', headers: { ...headers, ...ownHeaders } });
      if (await isLegacyRequest(web, parsedBody)) {
        return handleLegacy(createMcpServer(deps, request, instructions), web, parsedBody);
      }
      const authInfo = { token: '', clientId: request.caller.actor.userId, scopes: [] };
      requests.set(authInfo, { request, instructions });
      return read(await modern.fetch(web, { parsedBody, authInfo }));
    },
    close: () => modern.close(),
  };
}

async function handleLegacy(server: Server, web: Request, parsedBody: unknown): Promise<McpResponse> {
  // No session, and a transport for this request only.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // Read to its end before the server behind it is closed.
    return await read(await transport.handleRequest(web, { parsedBody }));
  } finally {
    await server.close();
  }
}

async function read(response: Response): Promise<McpResponse> {
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
}
