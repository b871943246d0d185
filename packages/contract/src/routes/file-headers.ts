import type { HeaderDescriptor } from '../route.ts';
import { flag } from '../schemas/query-values.ts';

const version: HeaderDescriptor = {
  description: "The file's version. Prefer it to ETag, which a proxy may weaken or remove.",
  example: '3',
};
const etag: HeaderDescriptor = { description: 'The same version in quotes.', example: '"3"' };

export const versionHeaders = { 'X-Service-Version': version, ETag: etag };

/** Of an answer that carries a file's bytes. */
export const fileHeaders = {
  ...versionHeaders,
  'X-Service-Content-Hash': { description: 'SHA-256 of the whole file, lower-case hexadecimal.' },
  'Content-Type': { description: 'The stored type.', example: 'text/markdown' },
};

/** Of a route that answers a file's bytes. */
export const previewFlag = flag(
  'Send an HTML file as a page instead of an attachment, in a sandbox without scripts, for the app to frame. Other types stay as they are.',
);
