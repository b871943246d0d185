// docs/decisions/0012-share-links-and-stored-bytes.md
import { mediaTypeOf } from '@stoa/core';
import type { Headers } from './response.ts';

/** An HTML file may use its own styles and pictures. It loads nothing else and submits no forms. */
const inertPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'";

export function isHtml(contentType: string): boolean {
  return mediaTypeOf(contentType) === 'text/html';
}

/**
 * The policy for a stored HTML file that is shown as a page: a sandbox gives it an opaque origin. Never add
 * `allow-same-origin`, which would undo that.
 * @param framedBy the sources whose pages may frame it
 */
export function pagePolicy(framedBy: string, sandbox: string): string {
  return `${inertPolicy}; frame-ancestors ${framedBy}; ${sandbox}`;
}

/** The headers of stored bytes, for an HTML file that is shown inline without scripts. */
export function inertPageHeaders(stored: Headers, framedBy: string): Headers {
  const { 'content-disposition': _attachment, ...headers } = stored;
  return {
    ...headers,
    'x-robots-tag': 'noindex',
    'content-security-policy': pagePolicy(framedBy, 'sandbox'),
  };
}
