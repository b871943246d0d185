// docs/decisions/0016-user-bytes-on-our-origin.md

export type Headers = Readonly<Record<string, string | number>>;

/** On every answer that is not a file's bytes or a page. */
export const dataHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** On bytes that people uploaded: shown nowhere with the rights of this server's own pages. */
export const uploadedBytesHeaders: Headers = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const oneYearSeconds = 31_536_000;

/** Only said over https: browsers ignore it elsewhere. */
export function transportHeaders(baseUrl: string): Headers {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${oneYearSeconds}` } : {};
}
