import { type Answer, integerAt, jsonOf, textAt } from '../support/answer.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type Surface, type Told, toldBy, unavailable } from './surface.ts';

export function restSurface(workspace: WorkspaceClient): Surface {
  return {
    write: (path, body, base) =>
      toldBy(workspace.put(path, body, base === null ? { ifNoneMatch: '*' } : { ifMatch: base }), read),
    remove: (path, version) => toldBy(workspace.remove(path, version), read),
    move: (from, to) => toldBy(workspace.post('move', { from, to }), read),
  };
}

function read(answer: Answer, says: string): Told {
  switch (answer.status) {
    case 200:
    case 201: {
      const body = jsonOf(answer);
      return 'version' in body ? { kind: 'version', version: integerAt(body, 'version') } : { kind: 'done' };
    }
    case 204:
      return { kind: 'done' };
    case 404:
      return { kind: 'absent' };
    case 412: {
      const body = jsonOf(answer);
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
