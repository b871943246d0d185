import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { type HttpResponse, type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from './response.ts';

/** The revisions that `initialize` opens, or the stateless ones, which name their revision in every message. */
export type McpEra = 'legacy' | 'modern';

export const mcpPath = '/api/mcp';

/** The sets of tools that an address can name. Without one it has the standard set. */
export type ToolSet = 'extended' | 'files';

export function mcpPathOf(toolSet?: ToolSet): string {
  return toolSet === undefined ? mcpPath : `${mcpPath}?toolset=${toolSet}`;
}

export const legacyRevision = '2025-11-25';
export const modernRevision = '2026-07-28';

/** The result of a tool. */
export interface ToolResult {
  readonly isError: boolean;
  /** All text blocks, a line break between them. */
  readonly text: string;
  /** `structuredContent`, empty when the tool gave none. */
  readonly data: JsonRecord;
  readonly hasData: boolean;
}

/** JSON-RPC over HTTP for one key, without a client library. */
export interface McpClient {
  readonly era: McpEra;
  /** Calls a tool. Fails the test when the response is not a tool result. */
  readonly call: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
  /** The tools as they are listed for the key. */
  readonly list: () => Promise<readonly JsonRecord[]>;
  /** The server's response to `initialize`, or `server/discover`. */
  readonly greet: () => Promise<JsonRecord>;
  /** Sends a method in the form of the era. @returns the whole JSON-RPC message. */
  readonly ask: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<JsonRecord>;
  /** Sends a body unchanged, text or value, with only the key and these headers. */
  readonly request: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<HttpResponse>;
}

/**
 * @param options.workspaceId added to the arguments of every call, as account-wide keys need it; arguments given in the
 * call win.
 */
export function openMcp(
  target: HttpClient,
  key: string | { readonly secret: string },
  options: { readonly era?: McpEra; readonly workspaceId?: string; readonly toolSet?: ToolSet } = {},
): McpClient {
  const { era = 'legacy', workspaceId, toolSet } = options;
  const caller = target.as({ 'x-api-key': typeof key === 'string' ? key : key.secret });
  let lastId = 0;
  const request: McpClient['request'] = (body, headers = {}) =>
    caller.send('POST', mcpPathOf(toolSet), {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const ask: McpClient['ask'] = async (method, params = {}) => {
    lastId += 1;
    // Each has its own id, because several calls may run at once.
    const id = lastId;
    const response = await request(messageOf(era, id, method, params), headersOf(era, method, params));
    const message = jsonOf(response);
    const shown = `${method}: ${response.status} ${response.bytes.toString('utf8').slice(0, 2000)}`;
    assert.equal(message.jsonrpc, '2.0', shown);
    assert.equal(message.id, id, shown);
    return message;
  };
  const succeed = async (method: string, params: Readonly<Record<string, unknown>>) => {
    const message = await ask(method, params);
    assert.ok(!('error' in message), `${method}: ${JSON.stringify(message)}`);
    return recordOf(message.result);
  };
  return {
    era,
    request,
    ask,
    async call(tool, given = {}) {
      const reach = workspaceId === undefined ? {} : { workspaceId };
      return toolResultOf(await succeed('tools/call', { name: tool, arguments: { ...reach, ...given } }));
    },
    list: async () => recordsAt(await succeed('tools/list', {}), 'tools'),
    greet: () => (era === 'legacy' ? succeed('initialize', opening()) : succeed('server/discover', {})),
  };
}

/** The opening parameters of a client of the older revisions. */
export function opening(protocolVersion: string = legacyRevision) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'stoa-tests', version: '1' } };
}

/** A request as JSON-RPC; `_meta` that is given in `params` wins over the era's own. */
export function messageOf(
  era: McpEra,
  id: string | number,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): JsonRecord {
  return { jsonrpc: '2.0', id, method, params: era === 'legacy' ? params : { _meta: modernMeta, ...params } };
}

/** The headers of such a request. */
export function headersOf(
  era: McpEra,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  if (era === 'legacy') return method === 'initialize' ? {} : { 'mcp-protocol-version': legacyRevision };
  return {
    'mcp-protocol-version': modernRevision,
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': headerText(params.name) } : {}),
  };
}

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'stoa-tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A text that a header cannot contain is sent in base64, as the protocol's transport requires. */
function headerText(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function toolResultOf(result: JsonRecord): ToolResult {
  const blocks = recordsAt(result, 'content');
  for (const block of blocks) assert.equal(block.type, 'text', JSON.stringify(result));
  const hasData = result.structuredContent !== undefined;
  return {
    isError: result.isError === true,
    text: blocks.map((block) => textAt(block, 'text')).join('\n'),
    data: hasData ? recordOf(result.structuredContent) : {},
    hasData,
  };
}
