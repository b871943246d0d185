import type { Actor } from '@stoa/core';
import type { ActorStamp } from '../ports/rows.ts';

/** What every command that changes a workspace carries: where, who, and when (milliseconds since the epoch). */
export interface ChangeAuthor {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly now: number;
}

export function stampOf(actor: Actor): ActorStamp {
  return {
    principal: actor.principal,
    actorId: actor.userId,
    actorKeyId: actor.keyId,
    actorLabel: actor.keyLabel,
  };
}
