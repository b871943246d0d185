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

/** Who did something, for people to read. */
export interface Who {
  readonly name: string;
  /** An agent is told from a person by an icon beside its name, never by colour alone. */
  readonly kind: 'person' | 'agent' | 'key' | 'former' | 'unknown';
}

type Members = readonly Pick<MemberRecord, 'id' | 'name'>[];

const unknown: Who = { kind: 'unknown', name: texts.somebody };

/**
 * Keys go by their label, whoever they belong to; people by their names.
 * @param members empty as long as they are not known: each workspace has one at least.
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

/** Of what is being done just now: who is not among the members that are known has joined meanwhile. */
export function whoNow(actor: ActorRecord, members: Members): Who {
  const who = whoOf(actor, members);
  return who.kind === 'former' ? unknown : who;
}
