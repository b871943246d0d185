import { isMarkdown, mediaTypeOf } from '@stoa/core';
import type { FileRow } from '../../../service/ports/files.ts';

/** The way in which a page shows a file. */
export type FileView = 'markdown' | 'text' | 'html' | 'image' | 'audio' | 'video' | 'download';

/** Larger text is offered as a download. */
const shownTextMaxBytes = 512 * 1024;
/** Larger Markdown is shown as source, because rendering costs far more. */
const renderedMarkdownMaxBytes = 128 * 1024;

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/javascript',
  'application/x-ndjson',
  'application/toml',
  'application/yaml',
  'application/x-yaml',
  'application/x-sh',
  'application/sql',
  'application/xhtml+xml',
]);
/** Includes SVG, because an image element runs no scripts. */
const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
]);

export function fileView({ path, contentType, sizeBytes }: FileRow): FileView {
  const type = mediaTypeOf(contentType);
  if (type === 'text/html') return 'html';
  if (imageTypes.has(type)) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  if (type.startsWith('video/')) return 'video';
  if (sizeBytes > shownTextMaxBytes) return 'download';
  if (isMarkdown(path, contentType)) return sizeBytes > renderedMarkdownMaxBytes ? 'text' : 'markdown';
  return type.startsWith('text/') || textTypes.has(type) ? 'text' : 'download';
}
