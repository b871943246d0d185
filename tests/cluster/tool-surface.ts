import type { HttpClient } from '../support/http-client.ts';
import { headersOf, type McpEra, mcpPath, messageOf } from '../support/mcp-client.ts';
import { type HttpResponse, integerAt, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { type Reported, reportedBy, type Surface, unavailable } from './surface.ts';

/** @param caller at one node, with an account-wide key. */
export function toolSurface(caller: HttpClient, workspaceId: string, era: McpEra): Surface {
  const call = (tool: string, given: Readonly<Record<string, unknown>>): Promise<Reported> => {
    const params = { name: tool, arguments: { workspaceId, ...given } };
    return reportedBy(
      caller.send('POST', mcpPath, {
        json: messageOf(era, 1, 'tools/call', params),
        headers: headersOf(era, 'tools/call', params),
      }),
      read,
    );
  };
  return {
    write: (path, body, base) =>
      call('write_file', {
        path,
        content: body.toString('base64'),
        encoding: 'base64',
        ...(base === null ? {} : { baseVersion: base }),
      }),
    remove: (path, version) => call('delete_file', { path, baseVersion: version }),
    move: (from, to) => call('move_file', { from, to }),
  };
}

function read(response: HttpResponse, says: string): Reported {
  // Authentication fails before the tool when the database is unreachable.
  if (response.status === 503) return unavailable(says);
  if (response.status !== 200 || !says.includes('"result"')) return { kind: 'wrong', says };
  const result = recordOf(jsonOf(response).result);
  if (result.isError === true) return failureOf(textAt(recordsAt(result, 'content')[0] ?? {}, 'text'));
  if (result.structuredContent === undefined) return { kind: 'done' };
  const data = recordOf(result.structuredContent);
  if (data.ok === true && 'version' in data) return { kind: 'version', version: integerAt(data, 'version') };
  if ('conflictCopyPath' in data) return { kind: 'copy', path: textAt(data, 'conflictCopyPath') };
  return { kind: 'wrong', says };
}

function failureOf(says: string): Reported {
  if (/not found|no file/i.test(says)) return { kind: 'absent' };
  return /try again|does not respond|stopped responding|locked by other work|waiting/i.test(says)
    ? unavailable(says)
    : { kind: 'wrong', says };
}
