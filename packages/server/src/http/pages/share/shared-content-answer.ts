import type { IncomingMessage } from 'node:http';
import type { ReadableFile } from '../../../service/files/open-content.ts';
import type { FileRow } from '../../../service/ports/rows.ts';
import type { Answer } from '../../answers/answer.ts';
import { readableAnswer } from '../../routes/files/readable-answer.ts';
import { mediaTypeOf } from './file-view.ts';

const shareHeaders = { 'x-robots-tag': 'noindex' };

/** An HTML file brings its own style and pictures, and loads nothing else; its forms go nowhere. */
const inertPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'";
/**
 * Scripts run, and cannot fetch, open sockets or start workers. `webrtc` is refused too, but not every browser knows the
 * word: in those a script can open a peer connection, and send to a host it names what the page holds.
 */
const scriptSources =
  "script-src 'unsafe-inline' 'unsafe-eval'; connect-src 'none'; worker-src 'none'; webrtc 'block'";

/**
 * A shared file's bytes, under the rules for all uploaded bytes. Only an HTML file is shown as a page, in a sandbox that
 * makes its origin an opaque one; `allow-same-origin` would undo that and is never said.
 * @param appOrigin the origin of the pages that may frame it
 * @throws WorkspaceError `unsafe_destination`, `range_not_satisfiable`
 */
export function sharedContentAnswer(
  request: IncomingMessage,
  readable: ReadableFile,
  options: { readonly download: boolean; readonly allowScripts: boolean; readonly appOrigin: string },
): Answer {
  const { download, allowScripts, appOrigin } = options;
  const answer = readableAnswer(request, readable, { download });
  if (!isShownAsPage(readable.file, download) || answer.kind !== 'bytes') {
    return answer.kind === 'bytes' || answer.kind === 'empty'
      ? { ...answer, headers: { ...answer.headers, ...shareHeaders } }
      : answer;
  }
  const { 'content-disposition': _attachment, ...headers } = answer.headers;
  const policy = `${inertPolicy}; frame-ancestors 'self' ${appOrigin}`;
  return {
    ...answer,
    headers: {
      ...headers,
      ...shareHeaders,
      'content-security-policy': allowScripts
        ? `${policy}; ${scriptSources}; sandbox allow-scripts`
        : `${policy}; sandbox`,
    },
  };
}

export function isShownAsPage({ contentType }: FileRow, download: boolean): boolean {
  return !download && mediaTypeOf(contentType) === 'text/html';
}
