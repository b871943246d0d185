import type { MemberRecord } from '@stoa/contract';
import type { Principal } from '@stoa/core';
import { people as texts } from '../text/en/people.ts';

/** The acting credential, as changes, versions and comments name it. */
export interface ActorRecord {
  readonly principal: Principal;
  readonly actorId: string;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
}

/** The author of an action, for display. */
export interface Who {
  readonly name: string;
  /** Agents also differ from people by an icon next to the name, not by colour alone. */
  readonly kind: 'person' | 'agent' | 'key' | 'former' | 'unknown';
}

type Members = readonly Pick<MemberRecord, 'id' | 'name'>[];

const unknown: Who = { kind: 'unknown', name: texts.somebody };

/**
 * Keys are shown by label, people by name.
 * @param members empty while loading: each workspace has at least one member.
 */
export function whoOf(actor: ActorRecord, members: Members): Who {
  if (actor.actorKeyId !== null) {
    const label = actor.actorLabel ?? texts.key;
    return actor.principal === 'agent'
      ? { kind: 'agent', name: texts.agent(label) }
      : { kind: 'key', name: texts.keyOf(label) };
  }
  return personOf(actor.actorId, members);
}

export function personOf(userId: string, members: Members): Who {
  const member = members.find(({ id }) => id === userId);
  if (member !== undefined) return { kind: 'person', name: member.name };
  return members.length === 0 ? unknown : { kind: 'former', name: texts.formerMember };
}

/** For a current action: an author missing from the loaded members has just joined. */
export function whoNow(actor: ActorRecord, members: Members): Who {
  const who = whoOf(actor, members);
  return who.kind === 'former' ? unknown : who;
}
