import type { ActorStamp } from '../service/ports/changes.ts';
import type { McpDeps } from './mcp-deps.ts';

/** How people and keys are called in a text: keys by label, people by name. One for each answer: it remembers. */
export function actorNames(
  deps: McpDeps,
): (by: Pick<ActorStamp, 'actorId' | 'actorLabel'>) => Promise<string> {
  const names = new Map<string, string>();
  return async ({ actorId, actorLabel }) => {
    if (actorLabel !== null) return actorLabel;
    const known =
      names.get(actorId) ?? (await deps.service.store.reader.users.find(actorId))?.name ?? 'somebody';
    names.set(actorId, known);
    return known;
  };
}
