import type { IncomingMessage } from 'node:http';
import { fileNameOf } from '@stoa/core';
import type { ContentRow, ReadableFile } from '../../../service/files/open-content.ts';
import type { Answer, Headers } from '../../answers/answer.ts';
import { attachmentNamed, isActiveType, versionHeaders } from '../../answers/content-headers.ts';
import { inertPageHeaders, isHtml } from '../../answers/html-page.ts';
import { parseByteRange } from '../../request/byte-range.ts';
import { refuseActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { namesVersion } from '../../request/preconditions.ts';

/** How a browser is to show a file. */
export interface Shown {
  /** As an attachment, whatever it is. Counts before `preview`. */
  readonly download: boolean;
  /** An HTML file as a page without scripts, for the app to frame. */
  readonly preview: boolean;
}

/**
 * The answer with a file's bytes, or with what the request leaves of it: 304 for a version the caller has, a range, or the
 * headers alone.
 * @throws WorkspaceError `unsafe_destination`, `range_not_satisfiable`
 */
export function readableAnswer(
  request: IncomingMessage,
  { file, open }: ReadableFile<ContentRow>,
  shown: Shown,
): Answer {
  refuseActiveDestination(header(request, 'sec-fetch-dest'));
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
  { path, version, contentHash, contentType }: ContentRow,
  { download, preview }: Shown,
): Headers {
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
