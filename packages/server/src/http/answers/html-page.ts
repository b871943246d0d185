// docs/decisions/0016-user-bytes-on-our-origin.md
import { mediaTypeOf } from '@stoa/core';
import type { Headers } from './answer.ts';

/** An HTML file brings its own style and pictures, and loads nothing else; its forms go nowhere. */
const inertPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'";

export function isHtml(contentType: string): boolean {
  return mediaTypeOf(contentType) === 'text/html';
}

/**
 * The policy under which a stored HTML file is shown as a page: in a sandbox that makes its origin an opaque one.
 * `allow-same-origin` would undo that and is never said.
 * @param framedBy the sources whose pages may frame it
 */
export function pagePolicy(framedBy: string, sandbox: string): string {
  return `${inertPolicy}; frame-ancestors ${framedBy}; ${sandbox}`;
}

/** The headers of stored bytes, for an HTML file that is shown in place and runs no scripts. */
export function inertPageHeaders(stored: Headers, framedBy: string): Headers {
  const { 'content-disposition': _attachment, ...headers } = stored;
  return {
    ...headers,
    'x-robots-tag': 'noindex',
    'content-security-policy': pagePolicy(framedBy, 'sandbox'),
  };
}
