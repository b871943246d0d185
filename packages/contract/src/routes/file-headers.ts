import type { HeaderDescriptor } from '../route.ts';
import { flag } from '../schemas/query-values.ts';

const version: HeaderDescriptor = {
  description: "The file's version. Prefer it to ETag, which a proxy may weaken or remove.",
  example: '3',
};
const etag: HeaderDescriptor = { description: 'The same version in quotes.', example: '"3"' };

export const versionHeaders = { 'X-Service-Version': version, ETag: etag };

/** Headers of a response with a file's bytes. */
export const fileHeaders = {
  ...versionHeaders,
  'X-Service-Content-Hash': { description: 'SHA-256 of the whole file, lower-case hexadecimal.' },
  'Content-Type': { description: 'The stored type.', example: 'text/markdown' },
};

/** For a route that returns a file's bytes. */
export const previewFlag = flag(
  'Send an HTML file as a page instead of an attachment, in a sandbox without scripts, for the app to frame. A file stored as octet-stream or form-urlencoded has the type of its extension; others stay as they are.',
);
