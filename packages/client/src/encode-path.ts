/**
 * A workspace path as it stands in an address: each segment encoded, the slashes kept.
 * @throws TypeError for a `..` segment: it would be folded away before the service could refuse it.
 */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

/** @throws TypeError for `..`. */
export function encodeSegment(segment: string): string {
  if (segment === '..') throw new TypeError('Invalid path: ".." is not allowed');
  return encodeURIComponent(segment);
}
