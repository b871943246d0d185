// docs/decisions/0031-mcp-surface.md
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { instructions, interfaceVersion, publishTools } from '@stoa/contract';
import { callTool } from './call-tool.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { McpRequest } from './mcp-request.ts';
import type { Tool } from './tool.ts';
import { toolList } from './tools/tool-list.ts';

/** What a key may call, built once: a request only picks one of the two. */
interface ToolSet {
  readonly byName: ReadonlyMap<string, Tool>;
  readonly published: ReturnType<typeof publishTools>;
}

const accountWide: ToolSet = {
  byName: new Map(toolList.map((tool) => [tool.descriptor.name, tool])),
  published: publishTools('account-wide'),
};
const scoped: ToolSet = {
  byName: new Map([...accountWide.byName].filter(([, { reach }]) => reach === 'workspace')),
  published: publishTools('scoped'),
};

const serverInfo = { name: 'service', title: 'Stoa', version: interfaceVersion };
/** The list changes only with the server's version, but a client may hold it for one key and use another. */
const toolListHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * A server for one request. It must not be used for a second one: answers are matched to requests by ids that clients
 * choose, and two clients may choose the same.
 */
export function createMcpServer(deps: McpDeps, request: McpRequest): Server {
  const { byName, published } = request.caller.scopedTo === null ? accountWide : scoped;
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { 'tools/list': toolListHint },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...published] }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = byName.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name));
    return callTool(deps, request, tool, params.arguments);
  });
  return server;
}

function unknownTool(name: string): string {
  return accountWide.byName.has(name)
    ? `${name} is for account-wide keys: this key is scoped to one workspace`
    : `Unknown tool: ${name.slice(0, 100)}. tools/list names those there are.`;
}
