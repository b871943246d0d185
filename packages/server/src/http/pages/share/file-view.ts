import { isMarkdown, mediaTypeOf } from '@stoa/core';
import type { FileRow } from '../../../service/ports/files.ts';

/** How a file is shown on its page. */
export type FileView = 'markdown' | 'text' | 'html' | 'image' | 'audio' | 'video' | 'download';

/** Text up to this size is shown; larger text is a download. */
const shownTextMaxBytes = 512 * 1024;
/** Markdown beyond this size is shown as it is written: rendering costs far more than showing. */
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
/** An image element runs no scripts, so an SVG is one too. */
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
