import { type ExtendedToolId, tools } from '@stoa/contract';
import type { Request } from '../support/http-client.ts';
import { headersOf, type McpEra, mcpPathOf, messageOf } from '../support/mcp-client.ts';

export const mcpEras: readonly McpEra[] = ['legacy', 'modern'];

/** Where a tool is called: at the standard address if it is there, else at that of the extended set. */
export function pathOfTool(id: ExtendedToolId): string {
  return mcpPathOf(Object.hasOwn(tools, id) ? undefined : 'extended');
}

/** A tool call as a request, for who judges the answer of HTTP as well: `POST` to `pathOfTool`. */
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
