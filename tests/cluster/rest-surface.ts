import { type Answer, integerAt, jsonOf, textAt } from '../support/answer.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type Surface, type Told, unavailable } from './surface.ts';

export function restSurface(workspace: WorkspaceClient): Surface {
  return {
    write: (path, body, base) =>
      told(workspace.put(path, body, base === null ? { ifNoneMatch: '*' } : { ifMatch: base })),
    remove: (path, version) => told(workspace.remove(path, version)),
    move: (from, to) => told(workspace.post('move', { from, to })),
  };
}

async function told(asked: Promise<Answer>): Promise<Told> {
  let answer: Answer;
  try {
    answer = await asked;
  } catch (error) {
    return { kind: 'not known', says: String(error) };
  }
  const says = `${answer.status} ${answer.bytes.toString()}`;
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
