import type { IncomingMessage } from 'node:http';
import type { ReadableFile } from '../../../service/files/read-file.ts';
import type { FileRow } from '../../../service/ports/files.ts';
import { inertPageHeaders, isHtml, pagePolicy } from '../../responses/html-page.ts';
import type { HttpResponse } from '../../responses/response.ts';
import { readableResponse } from '../../routes/files/readable-response.ts';

const shareHeaders = { 'x-robots-tag': 'noindex' };

/**
 * Scripts run but cannot fetch, open sockets or start workers. Peer connections (WebRTC) remain, through which a
 * script can send the page's content to any host. `webrtc 'block'` blocks them in browsers that support it, and the
 * header below in Chromium since about 2026. Other browsers allow them.
 */
const scriptSources =
  "script-src 'unsafe-inline' 'unsafe-eval'; connect-src 'none'; worker-src 'none'; webrtc 'block'";
/** Value of `Connection-Allowlist` that allows no connections at all. */
const noConnections = '();webrtc=block';

/**
 * Returns a shared file's bytes, under the rules for all uploaded bytes. Only an HTML file is shown as a page.
 * @param appOrigin the origin of the pages that may frame it
 * @throws WorkspaceError `unsafe_destination`, `range_not_satisfiable`
 */
export function sharedContentResponse(
  request: IncomingMessage,
  readable: ReadableFile,
  options: { readonly download: boolean; readonly allowScripts: boolean; readonly appOrigin: string },
): HttpResponse {
  const { download, allowScripts, appOrigin } = options;
  const response = readableResponse(request, readable, { download, preview: false });
  if (!isShownAsPage(readable.file, download) || response.kind !== 'bytes') {
    return response.kind === 'bytes' || response.kind === 'empty'
      ? { ...response, headers: { ...response.headers, ...shareHeaders } }
      : response;
  }
  const framedBy = `'self' ${appOrigin}`;
  const headers = inertPageHeaders(response.headers, framedBy);
  if (!allowScripts) return { ...response, headers };
  const scripted = {
    'content-security-policy': pagePolicy(framedBy, `${scriptSources}; sandbox allow-scripts`),
    'connection-allowlist': noConnections,
  };
  return { ...response, headers: { ...headers, ...scripted } };
}

export function isShownAsPage({ contentType }: FileRow, download: boolean): boolean {
  return !download && isHtml(contentType);
}
