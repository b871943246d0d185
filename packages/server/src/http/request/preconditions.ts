// docs/decisions/0007-rest-write-edges.md
import type { IncomingMessage } from 'node:http';
import {
  type ContentHash,
  isContentHash,
  type SeenVersion,
  WorkspaceError,
  type WritePrecondition,
} from '@stoa/core';
import { header } from './headers.ts';

/** The precondition headers of a request, null when not sent. */
export interface PreconditionHeaders {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifContentHash: string | null;
}

export function preconditionHeaders(request: Pick<IncomingMessage, 'headers'>): PreconditionHeaders {
  return {
    ifMatch: header(request, 'if-match'),
    ifNoneMatch: header(request, 'if-none-match'),
    ifContentHash: header(request, 'x-service-if-content-hash'),
  };
}

/**
 * What a write's headers say about the path: `If-Match: 3`, `"3"` or `W/"3"`, with a content hash beside it or without,
 * or `If-None-Match: *`, or nothing.
 * @throws WorkspaceError `invalid_precondition` for every other form, so that a misread header never overwrites a file.
 */
export function parseWritePrecondition(headers: PreconditionHeaders): WritePrecondition {
  const { ifMatch, ifNoneMatch } = headers;
  if (ifMatch !== null && ifNoneMatch !== null) {
    throw invalidPrecondition('Send If-Match or If-None-Match, not both');
  }
  const seen = parseSeenVersion(headers);
  if (seen !== null) return { kind: 'version', ...seen };
  if (ifNoneMatch === null) return { kind: 'none' };
  if (ifNoneMatch.trim() !== '*') throw invalidPrecondition('If-None-Match on a write must be *');
  return { kind: 'absent' };
}

/**
 * What a delete expects to find, null without `If-Match`.
 * @throws WorkspaceError `invalid_precondition`
 */
export function parseExpectedVersion(headers: PreconditionHeaders): SeenVersion | null {
  if (headers.ifNoneMatch !== null) throw invalidPrecondition('A delete takes If-Match, not If-None-Match');
  return parseSeenVersion(headers);
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

function parseSeenVersion({ ifMatch, ifContentHash }: PreconditionHeaders): SeenVersion | null {
  if (ifMatch === null) {
    if (ifContentHash === null) return null;
    throw invalidPrecondition('X-Service-If-Content-Hash needs If-Match beside it');
  }
  return { version: parseIfMatch(ifMatch), contentHash: parseIfContentHash(ifContentHash) };
}

function parseIfContentHash(text: string | null): ContentHash | null {
  if (text === null || isContentHash(text)) return text;
  throw invalidPrecondition('X-Service-If-Content-Hash must be a SHA-256 in lower-case hexadecimal');
}

function parseIfMatch(text: string): number {
  const version = parseVersionTag(text);
  if (version === null) throw invalidPrecondition('If-Match must be one version, for example 3 or "3"');
  return version;
}

function invalidPrecondition(reason: string): WorkspaceError {
  return new WorkspaceError('invalid_precondition', {}, reason);
}
