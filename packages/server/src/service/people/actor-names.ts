import { operator } from '../auditing/origin.ts';
import type { ActorStamp } from '../ports/changes.ts';
import type { UserReader } from '../ports/users.ts';

/**
 * Returns the display names of users and keys: a key's label, a user's name. Use one instance per response, because
 * it caches.
 */
export function actorNames(
  users: Pick<UserReader, 'find'>,
): (by: Pick<ActorStamp, 'actorId' | 'actorLabel'>) => Promise<string> {
  const names = new Map<string, string>();
  return async ({ actorId, actorLabel }) => {
    if (actorLabel !== null) return actorLabel;
    const known =
      names.get(actorId) ??
      (actorId === operator.userId ? 'the operator' : null) ??
      (await users.find(actorId))?.name ??
      'a former user';
    names.set(actorId, known);
    return known;
  };
}
