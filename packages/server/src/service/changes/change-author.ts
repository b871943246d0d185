import type { Actor, Viewer } from '@stoa/core';
import type { CallerCredential, WorkspaceAccess } from '../access/workspace-access.ts';
import type { ActorStamp } from '../ports/changes.ts';

/** What a change is recorded under: where, who, and when (milliseconds since the epoch). */
export interface Authorship {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly now: number;
}

/** What every command carries that changes a workspace for one of its members. */
export interface ChangeAuthor extends Authorship {
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
}

export function authorOf(access: WorkspaceAccess, now: number): ChangeAuthor {
  const { workspace, actor, viewer, credential } = access;
  return { workspaceId: workspace.id, actor, viewer, credential, now };
}

export function stampOf(actor: Actor): ActorStamp {
  return {
    principal: actor.principal,
    actorId: actor.userId,
    actorKeyId: actor.keyId,
    actorLabel: actor.keyLabel,
  };
}
