import type { Headers } from '../responses/response.ts';

/**
 * Allows the document its own scripts and styles by the nonce of this response, and whatever those load by
 * `strict-dynamic`. Nothing from another origin is allowed. Frames are pages of this server with their own policy.
 */
export function documentHeaders(nonce: string): Headers {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "frame-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  };
}

/** The name of an asset contains a hash of its bytes. Its policy governs a worker that is created from it. */
export const assetHeaders: Headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; script-src 'self'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
};
