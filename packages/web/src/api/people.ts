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
  readonly kind: 'person' | 'agent' | 'key' | 'former';
}

/** Keys go by their label, whoever they belong to; people by their names. */
export function whoOf(actor: ActorRecord, members: readonly Pick<MemberRecord, 'id' | 'name'>[]): Who {
  if (actor.actorKeyId !== null) {
    const label = actor.actorLabel ?? texts.key;
    return actor.principal === 'agent'
      ? { kind: 'agent', name: texts.agent(label) }
      : { kind: 'key', name: texts.keyOf(label) };
  }
  const member = members.find(({ id }) => id === actor.actorId);
  return member === undefined
    ? { kind: 'former', name: texts.formerMember }
    : { kind: 'person', name: member.name };
}
