import { type HttpResponse, integerAt, jsonOf, textAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type Reported, reportedBy, type Surface, unavailable } from './surface.ts';

export function restSurface(workspace: WorkspaceClient): Surface {
  return {
    write: (path, body, base) =>
      reportedBy(workspace.put(path, body, base === null ? { ifNoneMatch: '*' } : { ifMatch: base }), read),
    remove: (path, version) => reportedBy(workspace.remove(path, version), read),
    move: (from, to) => reportedBy(workspace.post('move', { from, to }), read),
  };
}

function read(response: HttpResponse, says: string): Reported {
  switch (response.status) {
    case 200:
    case 201: {
      const body = jsonOf(response);
      return 'version' in body ? { kind: 'version', version: integerAt(body, 'version') } : { kind: 'done' };
    }
    case 204:
      return { kind: 'done' };
    case 404:
      return { kind: 'absent' };
    case 412: {
      const body = jsonOf(response);
      return 'conflict_copy_path' in body
        ? { kind: 'copy', path: textAt(body, 'conflict_copy_path') }
        : { kind: 'wrong', says };
    }
    case 503:
      return unavailable(says);
    default:
      return { kind: 'wrong', says };
  }
}
