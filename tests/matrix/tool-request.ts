import type { Request } from '../support/http-client.ts';
import { headersOf, type McpEra, messageOf } from '../support/mcp-client.ts';

export const mcpEras: readonly McpEra[] = ['legacy', 'modern'];

/** A tool call as a request, for who judges the answer of HTTP as well: `POST` to `mcpPath`. */
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
