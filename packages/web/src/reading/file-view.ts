import { isMarkdown, mediaTypeOf } from '@stoa/core';
import { textMaxBytes } from './decode-text.ts';

/** How a file is shown in Read mode. */
export type FileView =
  | { readonly kind: 'markdown' }
  | { readonly kind: 'source' }
  | { readonly kind: 'csv' }
  | { readonly kind: 'picture' }
  | { readonly kind: 'html' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'none' };

/** Above this markdown is shown as its source. 2 MiB. */
export const renderedMaxBytes = 2 * 1024 * 1024;
/** 50 MB. */
export const pdfMaxBytes = 50_000_000;

const pictureTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
]);
/** What cannot be text whatever its bytes, so that nobody loads 2 GB of video to learn it. */
const neverText = /^(?:image|audio|video|font)\//;
const archives: ReadonlySet<string> = new Set(['application/zip', 'application/gzip', 'application/x-tar']);

export interface FileFacts {
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** By the stored type and the size alone; `source` still has to decode. */
export function fileView({ path, contentType, sizeBytes }: FileFacts): FileView {
  const type = mediaTypeOf(contentType);
  if (pictureTypes.has(type)) return { kind: 'picture' };
  if (type === 'application/pdf') return { kind: sizeBytes <= pdfMaxBytes ? 'pdf' : 'none' };
  if (type === 'text/html') return { kind: 'html' };
  if (sizeBytes > textMaxBytes || neverText.test(type) || archives.has(type)) return { kind: 'none' };
  if (isMarkdown(path, contentType)) return { kind: sizeBytes <= renderedMaxBytes ? 'markdown' : 'source' };
  if (type === 'text/csv') return { kind: 'csv' };
  return { kind: 'source' };
}
