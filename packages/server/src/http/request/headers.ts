// docs/decisions/0007-rest-write-edges.md
import type { IncomingMessage } from 'node:http';
import {
  type ByteRange,
  type ContentHash,
  isContentHash,
  type SeenVersion,
  WorkspaceError,
  type WritePrecondition,
} from '@stoa/core';

/** A header as it was sent, null when it was not. Repeated ones are joined by commas, as the protocol allows. */
export function header({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

/** The length a request declares for its body; 0 without a body, null when it comes in chunks of unknown number. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return declaredBytes(request) !== 0;
}

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

/**
 * The one range that a read asks for, null for the whole file: without `Range`, for several ranges or another unit, and
 * when `If-Range` names another version.
 * @throws WorkspaceError `range_not_satisfiable` with `sizeBytes`, when the range begins past the end.
 */
export function parseByteRange(
  headers: { readonly range: string | null; readonly ifRange: string | null },
  file: { readonly version: number; readonly sizeBytes: number },
): ByteRange | null {
  const { range, ifRange } = headers;
  if (range === null || (ifRange !== null && !isStrongTagOf(ifRange, file.version))) return null;
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range);
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  const { sizeBytes } = file;
  if (first === '') {
    const suffixBytes = Math.min(Number(last), sizeBytes);
    if (suffixBytes === 0) throw notSatisfiable(sizeBytes);
    return { start: sizeBytes - suffixBytes, end: sizeBytes };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== '' && Number(last) < start) return null;
  if (start >= sizeBytes) throw notSatisfiable(sizeBytes);
  return { start, end };
}

// A weak tag does not promise identical bytes, so parts fetched under it must not be put together.
function isStrongTagOf(ifRange: string, version: number): boolean {
  return !ifRange.trim().startsWith('W/') && parseVersionTag(ifRange) === version;
}

function notSatisfiable(sizeBytes: number): WorkspaceError {
  return new WorkspaceError('range_not_satisfiable', { sizeBytes });
}
