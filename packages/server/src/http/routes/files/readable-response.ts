import type { IncomingMessage } from 'node:http';
import { effectiveContentType, fileNameOf, mediaTypeOf } from '@stoa/core';
import type { ContentRow, ReadableFile } from '../../../service/files/read-file.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header, namesVersion, parseByteRange } from '../../request/headers.ts';
import { inertPageHeaders, isHtml } from '../../responses/html-page.ts';
import { type Headers, type HttpResponse, versionHeaders } from '../../responses/response.ts';

/** The way in which a browser shows a file. */
export interface Shown {
  /** As an attachment, whatever its type. Takes precedence over `preview`. */
  readonly download: boolean;
  /**
   * An HTML file as a page without scripts, for the app to frame; any other file under the type by which it is shown.
   */
  readonly preview: boolean;
}

/**
 * Returns a file's bytes, or the part that the request asks for: 304 for a version that the caller has, a range, or
 * only the headers.
 * @throws WorkspaceError `unsafe_destination`, `range_not_satisfiable`
 */
export function readableResponse(
  request: IncomingMessage,
  { file, open }: ReadableFile<ContentRow>,
  shown: Shown,
): HttpResponse {
  rejectActiveDestination(header(request, 'sec-fetch-dest'));
  const { version, sizeBytes } = file;
  if (namesVersion(header(request, 'if-none-match'), version)) {
    return { kind: 'empty', status: 304, headers: versionHeaders(version) };
  }
  const headers = fileHeaders(file, shown);
  if (request.method === 'HEAD')
    return { kind: 'bytes', status: 200, headers, content: { sizeBytes, open: null } };
  const range = parseByteRange(
    { range: header(request, 'range'), ifRange: header(request, 'if-range') },
    file,
  );
  if (range === null) {
    return { kind: 'bytes', status: 200, headers, content: { sizeBytes, open: () => open() } };
  }
  return {
    kind: 'bytes',
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` },
    content: { sizeBytes: range.end - range.start, open: () => open(range) },
  };
}

function fileHeaders(
  { path, version, contentHash, contentType: stored }: ContentRow,
  { download, preview }: Shown,
): Headers {
  const contentType = preview ? effectiveContentType(path, stored) : stored;
  const headers = {
    ...versionHeaders(version),
    'x-service-content-hash': contentHash,
    'content-type': contentType,
  };
  if (preview && !download && isHtml(contentType)) return inertPageHeaders(headers, "'self'");
  return download || isActiveType(contentType)
    ? { ...headers, 'content-disposition': attachmentNamed(fileNameOf(path)) }
    : headers;
}

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

/** Whether a type could be active in a browser: a page, a script, a style sheet, an image with scripts. */
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

// `encodeURIComponent` keeps four characters that the extended form does not allow.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
