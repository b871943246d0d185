// docs/decisions/0031-mcp-surface.md
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import {
  extendedInstructions,
  instructions,
  interfaceVersion,
  type PublishedTool,
  publishTools,
  type ToolSetName,
} from '@stoa/contract';
import { callTool } from './call-tool.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import type { Tool } from './tool.ts';
import { toolLists } from './tools/tool-list.ts';

/** What a key may call and is told, built once: a request only picks one. */
interface ToolSet {
  readonly byName: ReadonlyMap<string, { readonly tool: Tool; readonly published: PublishedTool }>;
  readonly published: readonly PublishedTool[];
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
  return { byName, published };
}

const serverInfo = { name: 'service', title: 'Stoa', version: interfaceVersion };
/** The list changes only with the server's version, but a client may hold it for one key and use another. */
const toolListHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * A server for one request. It must not be used for a second one: answers are matched to requests by ids that clients
 * choose, and two clients may choose the same.
 */
export function createMcpServer(deps: McpDeps, request: McpRequest): Server {
  const { accountWide, scoped } = toolSets[request.toolSet];
  const { byName, published } = request.caller.scopedTo === null ? accountWide : scoped;
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: request.toolSet === 'standard' ? instructions : extendedInstructions,
    cacheHints: { 'tools/list': toolListHint },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...published] }));
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
