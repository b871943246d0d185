import { effectiveContentType, isMarkdown, mediaTypeOf } from '@stoa/core';
import { textMaxBytes } from './decode-text.ts';

/** The view of a file in Read mode. */
export type FileView =
  | { readonly kind: 'markdown' }
  | { readonly kind: 'source' }
  | { readonly kind: 'csv' }
  | { readonly kind: 'picture' }
  | { readonly kind: 'html' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'none' };

/** Larger Markdown is shown as source. 2 MiB. */
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
/** Types that are never text, so that nothing downloads 2 GB of video to find that out. */
const neverText = /^(?:image|audio|video|font)\//;
const archives: ReadonlySet<string> = new Set(['application/zip', 'application/gzip', 'application/x-tar']);

export interface FileFacts {
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** Decided by type and size only; `source` must still be decoded. */
export function fileView({ path, contentType, sizeBytes }: FileFacts): FileView {
  const type = mediaTypeOf(effectiveContentType(path, contentType));
  if (pictureTypes.has(type)) return { kind: 'picture' };
  if (type === 'application/pdf') return { kind: sizeBytes <= pdfMaxBytes ? 'pdf' : 'none' };
  if (type === 'text/html') return { kind: 'html' };
  if (sizeBytes > textMaxBytes || neverText.test(type) || archives.has(type)) return { kind: 'none' };
  if (isMarkdown(path, contentType)) return { kind: sizeBytes <= renderedMaxBytes ? 'markdown' : 'source' };
  if (type === 'text/csv') return { kind: 'csv' };
  return { kind: 'source' };
}
