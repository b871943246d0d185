import { createHash } from 'node:crypto';

/** The actor of a change, as its record and its version name it. */
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

/** The version that a caller claims to have seen. A hash of null makes no claim. */
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
  /** For a conflicted copy: the version that its writer had read, if there is one. */
  readonly base?: Version | null;
}

/** One uninterrupted existence of a file at a path, with the one that it was moved from. */
export interface Stay {
  readonly path: string;
  readonly versions: Version[];
  /** The number of files that began before it. */
  readonly began: number;
  /** The number of changes before it. */
  readonly since: number;
  readonly cameFrom: Stay | null;
  /** For a conflicted copy: the race that its writer lost. */
  readonly lost: LostRace | null;
  /** Its end, once it has ended. */
  left: Leaving | null;
}

export interface Leaving {
  /** The user to whom the path was private then. */
  readonly ownerId: string | null;
  /** Null: it was deleted. */
  to: Stay | null;
}

/** The fields of a conflicted copy's record about the file. */
export interface LostRace {
  readonly conflictOf: string;
  readonly conflictBase: number | null;
}

/** A change without the parts that only the server knows: id, seq, time. */
export interface ModelChange {
  readonly record: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly op: string;
  /** The only user who may see it, and the user who may not; null for no limit. */
  readonly only: string | null;
  readonly except: string | null;
}

/** Whether the caller saw this version. */
export const isAt = (head: Version, { version, hash }: Seen) =>
  version === head.version && (hash === null || hash === sha256(head.content));

export const sizeOf = (content: string) => Buffer.byteLength(content);

export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
