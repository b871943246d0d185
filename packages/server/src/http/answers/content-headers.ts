import { mediaTypeOf } from '@stoa/core';

/** Types that a browser only shows or saves. All others are served as downloads. */
const inertTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/octet-stream',
  'application/zip',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** True for a type that could act in a browser: a page, a script, a style sheet, an image with scripts in it. */
export function isActiveType(contentType: string): boolean {
  const name = mediaTypeOf(contentType);
  return !inertTypes.has(name) && !name.startsWith('audio/') && !name.startsWith('video/');
}

/** `Content-Disposition` of a download under the file's own name, whatever characters it holds (RFC 6266, RFC 8187). */
export function attachmentNamed(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === fileName ? header : `${header}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

// encodeURIComponent leaves four characters alone that the extended form does not allow.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A version, in the header to rely on and as a tag in the form that caches know. */
export function versionHeaders(version: number) {
  return { 'x-service-version': String(version), etag: `"${version}"` };
}
