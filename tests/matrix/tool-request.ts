import { type ExtendedToolId, tools } from '@stoa/contract';
import type { Request } from '../support/http-client.ts';
import { headersOf, type McpEra, mcpPathOf, messageOf } from '../support/mcp-client.ts';

export const mcpEras: readonly McpEra[] = ['legacy', 'modern'];

/** The address of a tool: the standard one if the tool is there, otherwise that of the extended set. */
export function pathOfTool(id: ExtendedToolId): string {
  return mcpPathOf(Object.hasOwn(tools, id) ? undefined : 'extended');
}

/** A tool call as a request, for tests that also check the HTTP response: `POST` to `pathOfTool`. */
export function toolRequest(
  name: string,
  given: Readonly<Record<string, unknown>>,
  era: McpEra = 'legacy',
): Request {
  const params = { name, arguments: given };
  return {
    json: messageOf(era, 1, 'tools/call', params),
    headers: headersOf(era, 'tools/call', params),
  };
}
