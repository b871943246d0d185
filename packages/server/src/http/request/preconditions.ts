// docs/decisions/0007-rest-write-edges.md
import { WorkspaceError, type WritePrecondition } from '@stoa/core';

/** The precondition headers of a request, null when not sent. */
export interface PreconditionHeaders {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

/**
 * What a write's headers say about the path: `If-Match: 3`, `"3"` or `W/"3"`, or `If-None-Match: *`, or nothing.
 * @throws WorkspaceError `invalid_precondition` for every other form, so that a misread header never overwrites a file.
 */
export function parseWritePrecondition(headers: PreconditionHeaders): WritePrecondition {
  const { ifMatch, ifNoneMatch } = headers;
  if (ifMatch !== null && ifNoneMatch !== null) {
    throw invalidPrecondition('Send If-Match or If-None-Match, not both');
  }
  if (ifMatch !== null) return { kind: 'version', version: parseIfMatch(ifMatch) };
  if (ifNoneMatch === null) return { kind: 'none' };
  if (ifNoneMatch.trim() !== '*') throw invalidPrecondition('If-None-Match on a write must be *');
  return { kind: 'absent' };
}

/**
 * The version that a delete expects, null without `If-Match`.
 * @throws WorkspaceError `invalid_precondition`
 */
export function parseExpectedVersion(headers: PreconditionHeaders): number | null {
  if (headers.ifNoneMatch !== null) throw invalidPrecondition('A delete takes If-Match, not If-None-Match');
  return headers.ifMatch === null ? null : parseIfMatch(headers.ifMatch);
}

/** True when `If-None-Match` of a read names this version, alone or in a list. A tag that cannot be read is ignored. */
export function namesVersion(ifNoneMatch: string | null, version: number): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || parseVersionTag(tag) === version);
}

/** A version from `3`, `"3"` or `W/"3"`: caches on the way may have weakened the tag. Null for anything else. */
export function parseVersionTag(text: string): number | null {
  const match = /^(?:([1-9]\d*)|(?:W\/)?"([1-9]\d*)")$/.exec(text.trim());
  const version = Number(match?.[1] ?? match?.[2]);
  return Number.isSafeInteger(version) ? version : null;
}

function parseIfMatch(text: string): number {
  const version = parseVersionTag(text);
  if (version === null) throw invalidPrecondition('If-Match must be one version, for example 3 or "3"');
  return version;
}

function invalidPrecondition(reason: string): WorkspaceError {
  return new WorkspaceError('invalid_precondition', {}, reason);
}
