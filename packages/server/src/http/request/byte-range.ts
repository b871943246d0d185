import { type ByteRange, WorkspaceError } from '@stoa/core';
import { parseVersionTag } from './preconditions.ts';

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
