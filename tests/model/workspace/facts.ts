import { createHash } from 'node:crypto';

/** Who acts: what a change record and a version say of it. */
export interface Actor {
  readonly principal: 'agent' | 'human';
  readonly actorId: string;
  readonly actorKeyId: string;
  readonly actorLabel: string;
}

export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'version' } & Seen);

/** What a caller says that it saw of a file. A hash of null says nothing. */
export interface Seen {
  readonly version: number;
  readonly hash: string | null;
}

export interface Version {
  readonly version: number;
  readonly content: string;
  readonly contentType: string;
  readonly op: 'write' | 'move' | 'conflict' | 'restore';
  readonly actor: Actor;
  readonly movedFrom: string | null;
  /** Of a conflicted copy: the version that its writer had read, if there is one. */
  readonly base?: Version | null;
}

/** One uninterrupted existence of a file at a path, with the one that it was moved from. */
export interface Stay {
  readonly path: string;
  readonly versions: Version[];
  /** How many began before it. */
  readonly began: number;
  /** How many changes there were before it. */
  readonly since: number;
  readonly cameFrom: Stay | null;
  /** Of a conflicted copy: what it was made beside. */
  readonly lost: LostRace | null;
  /** How it ended, once it has. */
  left: Leaving | null;
}

export interface Leaving {
  /** To whom the path was private then. */
  readonly ownerId: string | null;
  /** Null: it was deleted. */
  to: Stay | null;
}

/** What the record of a conflicted copy says of the file. */
export interface LostRace {
  readonly conflictOf: string;
  readonly conflictBase: number | null;
}

/** A change without what only the server knows: id, seq, time. */
export interface ModelChange {
  readonly record: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly op: string;
  /** Who alone may see it, and who may not; null for nobody. */
  readonly only: string | null;
  readonly except: string | null;
}

/** Whether this is what the caller saw. */
export const isAt = (head: Version, { version, hash }: Seen) =>
  version === head.version && (hash === null || hash === sha256(head.content));

export const sizeOf = (content: string) => Buffer.byteLength(content);

export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
