// A header that could be misread is rejected: a guess at its meaning could overwrite a text.
import type { IncomingMessage } from 'node:http';
import {
  type ByteRange,
  type ContentHash,
  isContentHash,
  type SeenVersion,
  WorkspaceError,
  type WritePrecondition,
} from '@stoa/core';

/** A header as it was sent, or null. Repeated headers are joined with commas, as the protocol allows. */
export function header({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

/** The declared length of a request's body; 0 without a body, null with chunked encoding. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return declaredBytes(request) !== 0;
}

/** The precondition headers of a request; null if not sent. */
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
 * Parses a write's precondition: `If-Match: 3`, `"3"` or `W/"3"`, with or without a content hash, or `If-None-Match:
 * *`, or none.
 * @throws WorkspaceError `invalid_precondition` for every other form, so that a misread header never overwrites a
 * file
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
 * Parses the version that a delete expects; null without `If-Match`.
 * @throws WorkspaceError `invalid_precondition`
 */
export function parseExpectedVersion(headers: PreconditionHeaders): SeenVersion | null {
  if (headers.ifNoneMatch !== null) throw invalidPrecondition('A delete takes If-Match, not If-None-Match');
  return parseSeenVersion(headers);
}

/** Whether `If-None-Match` of a read names this version, alone or in a list. Malformed tags are ignored. */
export function namesVersion(ifNoneMatch: string | null, version: number): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || parseVersionTag(tag) === version);
}

/** A version from `3`, `"3"` or `W/"3"`, because a cache may have weakened the tag. Null for anything else. */
export function parseVersionTag(text: string): number | null {
  const match = /^(?:([1-9]\d*)|(?:W\/)?"([1-9]\d*)")$/.exec(text.trim());
  const version = Number(match?.[1] ?? match?.[2]);
  return Number.isSafeInteger(version) ? version : null;
}

function parseSeenVersion({ ifMatch, ifContentHash }: PreconditionHeaders): SeenVersion | null {
  if (ifMatch === null) {
    if (ifContentHash === null) return null;
    throw invalidPrecondition('X-Service-If-Content-Hash needs If-Match');
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
 * Parses the range of a read. Null means the whole file: without `Range`, for several ranges or another unit, and if
 * `If-Range` names another version.
 * @throws WorkspaceError `range_not_satisfiable` with `sizeBytes` if the range begins past the end
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

// A weak tag does not promise identical bytes, so ranges fetched under it must not be joined.
function isStrongTagOf(ifRange: string, version: number): boolean {
  return !ifRange.trim().startsWith('W/') && parseVersionTag(ifRange) === version;
}

function notSatisfiable(sizeBytes: number): WorkspaceError {
  return new WorkspaceError('range_not_satisfiable', { sizeBytes });
}
